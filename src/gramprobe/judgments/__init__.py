"""What people answer: files of an experiment read back, checked, cleaned by declared rules, and how far people agree.

    read(files, ...) -> Judgments        Judgments.write(folder)        open_folder(folder) -> Folder

A person is p001, p002 ... in the order of the files; nothing else about a person is kept.
"""
