package org.fibnuma.bench.memcached;

import org.fibnuma.bench.lab.Routers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times of a GET in tables 6.3, 6.4 and 6.6 of the thesis, one row for each arrangement. The thesis's rack has one
 * layer-3 switch between the computers, two racks have four.
 *
 * @param name    of the arrangement, with the table.
 * @param server  server that is measured here in this arrangement, null if there is none.
 * @param routers what is between client and server here. The kernel stands for the switch AX3630S-24T, Fibnuma for
 *                FIBNIC.
 * @param getNs   nanoseconds by {@link #SIZES}.
 */
record ThesisTimes(String name, String server, Routers routers, List<Integer> getNs)
{
    /** Bytes of values. */
    static final List<Integer> SIZES = List.of(16, 32, 64, 128, 256, 512);

    private static final String LOOPBACK = "sockets, loopback, measured (6.3)";
    private static final String TEN_GIGABIT = "sockets, 10GBASE-SR, measured (6.3)";
    private static final String GIGABIT = "sockets, 1000BASE-T, measured (6.3)";

    private static final Routers SWITCH = new Routers(1, Routers.Kind.KERNEL);
    private static final Routers FIBNIC = new Routers(1, Routers.Kind.FIBNUMA);
    private static final Routers SWITCHES = new Routers(4, Routers.Kind.KERNEL);
    private static final Routers FIBNICS = new Routers(4, Routers.Kind.FIBNUMA);

    /** All rows; in each group the one that the others are compared with comes first. */
    static final List<ThesisTimes> ROWS = List.of(
        new ThesisTimes(LOOPBACK, MemcachedRun.UDP, Routers.NONE, List.of(9405, 9418, 9454, 9443, 9434, 9671)),
        new ThesisTimes(TEN_GIGABIT, null, Routers.NONE, List.of(29200, 29521, 29852, 30037, 30622, 34452)),
        new ThesisTimes(GIGABIT, MemcachedRun.UDP_VETH, Routers.NONE,
            List.of(50546, 50567, 50679, 51092, 51777, 62786)),
        new ThesisTimes("IP-NUMA, 1000BASE-T, estimated (6.4)", MemcachedRun.XDP, Routers.NONE,
            List.of(11475, 11496, 11608, 12021, 12706, 23715)),
        new ThesisTimes("rack, sockets and switch, estimated (6.6)", MemcachedRun.UDP_VETH, SWITCH,
            List.of(58890, 58911, 59023, 59436, 60121, 71130)),
        new ThesisTimes("rack, sockets and FIBNIC, estimated (6.6)", MemcachedRun.UDP_VETH, FIBNIC,
            List.of(52698, 52719, 52831, 53244, 53929, 64938)),
        new ThesisTimes("rack, IP-NUMA and switch, estimated (6.6)", MemcachedRun.XDP, SWITCH,
            List.of(19819, 19840, 19952, 20365, 21050, 32059)),
        new ThesisTimes("rack, IP-NUMA and FIBNIC, estimated (6.6)", MemcachedRun.XDP, FIBNIC,
            List.of(13627, 13648, 13760, 14173, 14858, 25867)),
        new ThesisTimes("racks, sockets and switch, estimated (6.6)", MemcachedRun.UDP_VETH, SWITCHES,
            List.of(85122, 85143, 85255, 85668, 86353, 97362)),
        new ThesisTimes("racks, sockets and FIBNIC, estimated (6.6)", MemcachedRun.UDP_VETH, FIBNICS,
            List.of(60354, 60375, 60487, 60900, 61585, 72594)),
        new ThesisTimes("racks, IP-NUMA and switch, estimated (6.6)", MemcachedRun.XDP, SWITCHES,
            List.of(46051, 46072, 46184, 46597, 47282, 58291)),
        new ThesisTimes("racks, IP-NUMA and FIBNIC, estimated (6.6)", MemcachedRun.XDP, FIBNICS,
            List.of(21283, 21304, 21416, 21829, 22514, 33523)));

    /** Nanoseconds of a SET in table 6.3. */
    static final Map<String, List<Integer>> SET_NS = measured(
        List.of(10817, 10957, 10956, 10895, 11003, 11163),
        List.of(30156, 30250, 30984, 31504, 31949, 34937),
        List.of(51251, 51376, 51516, 51990, 52596, 63290));

    /** Nanoseconds of an ADD in table 6.3. */
    static final Map<String, List<Integer>> ADD_NS = measured(
        List.of(10720, 10526, 10617, 10693, 10805, 11099),
        List.of(30282, 30448, 30739, 31586, 31967, 35102),
        List.of(51296, 51233, 51382, 51844, 52435, 63159));

    private static Map<String, List<Integer>> measured(
        final List<Integer> loopback, final List<Integer> tenGigabit, final List<Integer> gigabit)
    {
        final Map<String, List<Integer>> rows = new LinkedHashMap<>();
        rows.put(LOOPBACK, loopback);
        rows.put(TEN_GIGABIT, tenGigabit);
        rows.put(GIGABIT, gigabit);
        return rows;
    }

    /** Returns the row of sockets that tables 6.7 and 6.8 compare a row with, the row itself among them. */
    ThesisTimes peer()
    {
        return ROWS.stream()
            .filter(row -> row.routers.equals(routers.peer()) && MemcachedRun.UDP_VETH.equals(row.server))
            .findFirst().orElseThrow();
    }
}
