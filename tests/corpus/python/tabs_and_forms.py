class Config:
	batch_size = 26
	def method(self):
		num_workers = 4
		return num_workers
