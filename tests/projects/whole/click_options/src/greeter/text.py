def greeting(name, shout=False):
    text = f"Hello, {name}!"
    return text.lower() if shout else text
