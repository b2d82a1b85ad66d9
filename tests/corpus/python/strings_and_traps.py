r"""batch_size = 1"""
text = '''
batch_size = 2
{ "batch_size": 3 }
'''
pattern = r'\d+"'; other = "it's # not a comment"
fmt = f"{text!r}: {len(text):>4}"
b = b'batch_size = 4'
long = "a" \
    "b"
batch_size = \
    32
if batch_size == 32: pass
d = {k: v for k, v in zip("ab", [1, 2])}
s = text[1:-1][::2]
x = (yield_ := 3)
assert batch_size != 0, "batch_size = 5"
