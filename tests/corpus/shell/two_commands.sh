python pretrain.py -b 64 -j 4 --lr 0.1 && python finetune.py -b 16 -j 4 --lr 0.01
