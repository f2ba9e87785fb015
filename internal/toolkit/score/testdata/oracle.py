"""What the oracle's speed is held against: every gold run twice and compared
as sets, in plain Python with its own SQLite.

python3 oracle.py QUESTIONS.json DATABASES WORKERS prints seconds and how many
agree.
"""
import json
import sqlite3
import sys
import time
from concurrent.futures import ProcessPoolExecutor


def run(part, folder):
    connections, agree = {}, 0
    for question in part:
        name = question["db_id"]
        if name not in connections:
            connections[name] = sqlite3.connect(f"{folder}/{name}/{name}.sqlite")
        gold = connections[name].execute(question["SQL"]).fetchall()
        answer = connections[name].execute(question["SQL"]).fetchall()
        agree += set(gold) == set(answer)
    return agree


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        questions = json.load(file)
    folder, workers = sys.argv[2], int(sys.argv[3])
    parts = [questions[i::workers] for i in range(workers)]
    with ProcessPoolExecutor(workers) as pool:
        list(pool.map(run, [[]] * workers, [folder] * workers))  # starts them
        started = time.time()
        agree = sum(pool.map(run, parts, [folder] * workers))
        print(time.time() - started, agree)
