from shapes.exp import Exp as Base


class Exp(Base):
    width = 0.5
