package org.fibnuma.bench.flows;

/** Rulesets of nftables as the hosts of gateways have them. */
final class Rules
{
    /** Accepts new connections of the client's network and drops what belongs to none. */
    static final String STATEFUL = """
        table inet fw {
          chain forward {
            type filter hook forward priority 0; policy drop;
            ct state invalid drop
            ct state established,related accept
            meta l4proto ipv6-icmp accept
            iifname "r0" accept
            ct status dnat accept
          }
        }
        """;
    /** As {@link #STATEFUL}, and packets to the server have the address of the router. */
    static final String MASQUERADE = STATEFUL + """
        table inet nat {
          chain post {
            type nat hook postrouting priority srcnat;
            oifname { "r1", "r2" } masquerade
          }
        }
        """;

    private Rules()
    {
    }

    /** As {@link #STATEFUL}, and the router passes a port of its address to a socket; one rule more at postrouting. */
    static String forwarded(
        final String protocol, final int port, final String target, final int targetPort, final String post)
    {
        return STATEFUL + """
            table ip nat {
              chain pre {
                type nat hook prerouting priority dstnat;
                ip daddr %s %s dport %d dnat to %s:%d
              }
              chain post {
                type nat hook postrouting priority srcnat;
                %s
              }
            }
            """.formatted(FlowLab.TO_SERVER, protocol, port, target, targetPort, post);
    }
}
