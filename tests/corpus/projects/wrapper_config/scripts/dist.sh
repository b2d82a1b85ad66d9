data=$1
python -m torch.distributed.launch --nproc_per_node=8 main.py \
	--output_dir logs -c config/boxes.py --data $data
