"""The other end of an endpoint's cable: asks by ARP, stores by a datagram built here, shows what the endpoint sends."""
import sys

from scapy.all import ARP, IP, UDP, Ether, get_if_hwaddr, raw, sendp, sniff, srp1

device, mac, payload = sys.argv[1:4]
own, endpoint = "10.9.0.2", "10.9.0.1"

station = get_if_hwaddr(device)

answer = srp1(
    Ether(src=station, dst="ff:ff:ff:ff:ff:ff") / ARP(hwsrc=station, psrc=own, pdst=endpoint),
    iface=device, timeout=10, verbose=0)
print("arp", answer[ARP].hwsrc if answer else "nobody", flush=True)

sendp(Ether(src=station, dst=mac) / IP(src=own, dst=endpoint) / UDP(sport=3422, dport=3422) / bytes.fromhex(payload),
      iface=device, verbose=0)
print("sent", flush=True)

seen = sniff(
    iface=device, count=1, timeout=20, lfilter=lambda p: UDP in p and p[IP].src == endpoint,
    started_callback=lambda: print("listening", flush=True))
for packet in seen:
    header = IP(raw(packet[IP])[:20])
    checksum, header.chksum = header.chksum, None
    right = IP(raw(header)).chksum == checksum
    udp = packet[UDP]
    print("frame", packet.src, packet.dst, packet[IP].dst, udp.sport, udp.dport, right,
          raw(udp.payload)[:udp.len - 8].hex(), flush=True)
