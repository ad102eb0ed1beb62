package org.fibnuma.fabric.sonic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a ring of three SONiC switches, leaf0 to leaf2, with one host each. Ethernet0 leads to Ethernet4 of the next
 * switch, Ethernet8 to the host. All is in order: priorities 3 and 4 are lossless, links have 100 Gb/s, 40 m and an MTU
 * of 9100, for which SONiC's formula asks for an xoff of 80,896 bytes.
 */
public final class SonicRing
{
    /** Number of switches. */
    public static final int SWITCHES = 3;

    private static final String CONFIG = """
        {
          "DEVICE_METADATA": {"localhost": {"hostname": "leaf%1$d", "hwsku": "ACS-MSN2700", "type": "ToRRouter",
            "mac": "00:11:22:33:44:0%1$d"}},
          "PORT": {
            "Ethernet0": {"alias": "etp1", "lanes": "0,1,2,3", "speed": "100000", "mtu": "9100", "admin_status": "up"},
            "Ethernet4": {"alias": "etp2", "lanes": "4,5,6,7", "speed": "100000", "mtu": "9100", "admin_status": "up"},
            "Ethernet8": {"alias": "etp3", "lanes": "8,9,10,11", "speed": "100000", "mtu": "9100",
              "admin_status": "up"}
          },
          "DEVICE_NEIGHBOR": {
            "Ethernet0": {"name": "leaf%2$d", "port": "etp2"},
            "Ethernet4": {"name": "leaf%3$d", "port": "Ethernet0"},
            "Ethernet8": {"name": "host%1$d", "port": "eth0"}
          },
          "INTERFACE": {
            "Ethernet0": {}, "Ethernet0|10.0.%1$d.0/31": {}, "Ethernet0|fd00:10:%1$d::/127": {},
            "Ethernet4": {}, "Ethernet4|10.0.%3$d.1/31": {}, "Ethernet4|fd00:10:%3$d::1/127": {},
            "Ethernet8": {}, "Ethernet8|192.168.%1$d.1/24": {}, "Ethernet8|fd00:168:%1$d::1/64": {}
          },
          "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.1.0.%1$d/32": {}},
          "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m", "Ethernet4": "40m", "Ethernet8": "40m"}},
          "BUFFER_POOL": {
            "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10000000"},
            "egress_lossless_pool": {"type": "egress", "mode": "dynamic", "size": "16000000"}
          },
          "BUFFER_PROFILE": {
            "ingress_lossy_profile": {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
            "pg_lossless_100000_40m_profile": {"pool": "ingress_lossless_pool", "xon": "19456", "xoff": "80896",
              "size": "100352", "dynamic_th": "0"}
          },
          "BUFFER_PG": {
            "Ethernet0|0": {"profile": "ingress_lossy_profile"},
            "Ethernet0|3-4": {"profile": "pg_lossless_100000_40m_profile"},
            "Ethernet4|3-4": {"profile": "pg_lossless_100000_40m_profile"},
            "Ethernet8|3-4": {"profile": "[BUFFER_PROFILE|pg_lossless_100000_40m_profile]"}
          },
          "DSCP_TO_TC_MAP": {"AZURE": {"0": "1", "3": "3", "4": "4", "26": "3", "48": "6"}},
          "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "1": "0", "3": "3", "4": "4", "6": "0"}},
          "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0", "1": "1", "3": "3", "4": "4", "6": "6"}},
          "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"3": "3", "4": "4"}},
          "PORT_QOS_MAP": {
            "global": {"dscp_to_tc_map": "AZURE"},
            "Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE",
              "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"},
            "Ethernet4": {"tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE",
              "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"},
            "Ethernet8": {"tc_to_pg_map": "AZURE", "tc_to_queue_map": "AZURE",
              "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}
          },
          "WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_all", "wred_green_enable": "true",
            "green_min_threshold": "250000", "green_max_threshold": "1000000", "green_drop_probability": "5",
            "yellow_min_threshold": "250000", "yellow_max_threshold": "1000000", "red_min_threshold": "250000",
            "red_max_threshold": "1000000"}},
          "QUEUE": {
            "Ethernet0|3-4": {"wred_profile": "AZURE_LOSSLESS"}, "Ethernet4|3": {"wred_profile": "AZURE_LOSSLESS"},
            "Ethernet4|4": {"wred_profile": "AZURE_LOSSLESS"}, "Ethernet8|3-4": {"wred_profile": "AZURE_LOSSLESS"}
          },
          "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": "200"},
            "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
            "Ethernet4": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
            "Ethernet8": {"action": "drop", "detection_time": "200", "restoration_time": "400"}
          },
          "SYSLOG_SERVER": {"10.9.9.9": {}}
        }
        """;

    private SonicRing()
    {
    }

    /** Writes the configurations. */
    public static void write(final Path folder) throws IOException
    {
        for (int node = 0; node < SWITCHES; node++)
        {
            final Path own = Files.createDirectories(folder.resolve("leaf" + node));
            Files.writeString(own.resolve(SonicSite.CONFIG),
                String.format(CONFIG, node, (node + 1) % SWITCHES, (node + 2) % SWITCHES));
        }
    }

    /** Replaces a text in the configuration of a switch, which must contain it. */
    public static void edit(final Path folder, final int node, final String text, final String other) throws IOException
    {
        final Path file = folder.resolve("leaf" + node).resolve(SonicSite.CONFIG);
        final String config = Files.readString(file);
        if (!config.contains(text))
        {
            throw new IllegalArgumentException(file + " does not contain " + text);
        }
        Files.writeString(file, config.replace(text, other));
    }

    /** Writes dumps of FRR: the shortest path to each subnet, or clockwise paths, which wait for each other. */
    public static void writeFrrRoutes(final Path folder, final boolean isClockwise) throws IOException
    {
        for (int node = 0; node < SWITCHES; node++)
        {
            final StringBuilder ipv4 = new StringBuilder("{\"10.1.0.0/16\":[]");
            final StringBuilder ipv6 = new StringBuilder("{\"fd00:99::/64\":[]");
            for (int to = 0; to < SWITCHES; to++)
            {
                final boolean isNext = to == (node + 1) % SWITCHES || isClockwise;
                final String port = isNext ? "Ethernet0" : "Ethernet4";
                final String via = isNext ? node + "." + 1 : (node + 2) % SWITCHES + "." + 0;
                ipv4.append(",\n\"192.168.").append(to).append(".0/24\":").append(node == to ? frrConnected() :
                    frr("10.0." + via, port));
                ipv6.append(",\n\"fd00:168:").append(to).append("::/64\":").append(node == to ? frrConnected() :
                    frr("fe80::1", port));
            }
            final Path own = folder.resolve("leaf" + node);
            Files.writeString(own.resolve(RouteDumpReader.IPV4_FILE), ipv4 + "}\n");
            Files.writeString(own.resolve(RouteDumpReader.IPV6_FILE), ipv6 + "}\n");
        }
    }

    /** Deletes the dumps of FRR of a switch. */
    static void deleteFrrRoutes(final Path folder, final int node) throws IOException
    {
        Files.delete(folder.resolve("leaf" + node).resolve(RouteDumpReader.IPV4_FILE));
        Files.delete(folder.resolve("leaf" + node).resolve(RouteDumpReader.IPV6_FILE));
    }

    private static String frrConnected()
    {
        return "[{\"protocol\":\"connected\",\"selected\":true,\"installed\":true,\"nexthops\":[{\"fib\":true," +
            "\"directlyConnected\":true,\"interfaceName\":\"Ethernet8\",\"active\":true}]}]";
    }

    static String frr(final String via, final String port)
    {
        return "[{\"protocol\":\"static\",\"distance\":1,\"metric\":0,\"nexthops\":[{\"ip\":\"10.99.0.1\"," +
            "\"interfaceName\":\"Ethernet8\"}]}," +
            "{\"protocol\":\"bgp\",\"vrfName\":\"default\",\"selected\":true,\"distance\":20,\"installed\":true," +
            "\"nexthops\":[{\"ip\":\"10.1.0.9\",\"active\":true,\"recursive\":true}," +
            "{\"fib\":true,\"ip\":\"" + via + "\",\"interfaceName\":\"" + port +
            "\",\"active\":true,\"resolver\":true}]}]";
    }
}
