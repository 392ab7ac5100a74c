"""Writes histories.jsonl: the model's results for COUNT seeded histories. Each line has the mutations in the server's order, and its rows at the end.

    histories.py COUNT FILE
"""
import json, pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import model
model.FIELDS=("text","emotion","time")
log=[]
def num(dev,now): return now*4+"abc".index(dev)
class S(model.Server):
    def apply(s,m,touched):
        r=super().apply(m,touched); log.append((m,r)); return r
    def purge(s):
        super().purge(); log.append(("purge",None))
model.Server=S
def val(f,v):
    if v is None: return None
    # "<client><now><field>"
    dev=v[0]; now=int(v[1:-len(f)]); return num(dev,now) if f=="time" else f+v[0]+str(now)
def st(x): return [x[0], "abc".index(x[1]) if x[1] else -1]
out=[]
conf=0
for seed in range(int(sys.argv[1])):
    log.clear()
    s,_=model.run(seed)
    ms=[]
    for m,r in log:
        if m=="purge": ms.append({"op":"purge"}); continue
        d={"op":m["op"],"id":int(m["id"][1:]),"stamp":st(m["stamp"]),"result":r}
        if m["op"]=="create": d["values"]={f:val(f,v) for f,v in m["v"].items()}
        if m["op"]=="update":
            d["values"]={f:val(f,v) for f,(v,b) in m["v"].items()}; d["bases"]={f:st(b) for f,(v,b) in m["v"].items()}
        if m.get("covers"): d["covers"]=sorted([f,st(x)] for f,x in m["covers"])
        if m["op"]=="delete": d["seen"]={f:st(b) for f,b in m["seen"].items()}
        ms.append(d)
    rows={i[1:]:{"dead":r["dead"],"fields":{f:[val(f,v),st(x)] for f,(v,x) in r["f"].items()},"conflicts":sorted([c[0],st(c[1]),val(c[0],c[2])] for c in r["conf"])} for i,r in s.rows.items()}
    conf+=sum(len(r["conflicts"]) for r in rows.values())
    out.append(json.dumps({"seed":seed,"mutations":ms,"rows":rows},separators=(",",":")))
open(sys.argv[2],"w").write("\n".join(out)+"\n")
print(len(out),"conflicts",conf,sum(len(o) for o in out))
