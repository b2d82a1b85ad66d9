class C:
	batch_size = 8
	def f(self, num_workers=2):
		self.lr = 0.1
		return dict(lr = 1e-3,	batch_size	=	4)
