python train.py --name "a --batch-size 3" --batch-size '24' --note='it is --lr 5' --lr="0.01"
