"""Reads all test reports below the working directory and prints how many tests ran, failed and were skipped.

Appends the names of failed tests with the first line of their messages to the first file named, and the seconds and
name of each class to the second.
"""
import glob
import sys
import xml.etree.ElementTree

run = bad = out = 0
with open(sys.argv[1], "a") as failures, open(sys.argv[2], "a") as seconds:
    for report in sorted(glob.glob("**/target/*-reports/TEST-*.xml", recursive=True)):
        try:
            suite = xml.etree.ElementTree.parse(report).getroot()
        except xml.etree.ElementTree.ParseError as broken:
            run, bad = run + 1, bad + 1
            failures.write(f"{report} is no whole report: {broken}\n")
            continue
        run += int(suite.get("tests"))
        bad += int(suite.get("errors")) + int(suite.get("failures"))
        out += int(suite.get("skipped"))
        seconds.write(f"{float(suite.get('time').replace(',', '')):7.1f} {suite.get('name')}\n")
        for test in suite.iter("testcase"):
            for fault in test.findall("error") + test.findall("failure"):
                message = (fault.get("message") or fault.text or "").strip().splitlines() or [""]
                failures.write(f"{test.get('classname')}.{test.get('name')}: {message[0][:200]}\n")
print(run, bad, out)
