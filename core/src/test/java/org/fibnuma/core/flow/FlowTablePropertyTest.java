package org.fibnuma.core.flow;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The table finds what a map of tuples has, and nothing else. */
class FlowTablePropertyTest
{
    private static final int STEPS = 300;
    private static final int FINDS = 8;
    private static final int[] INTERFACES = {0, 5, 4094 << 6 | 62};

    /**
     * What packets are found by.
     *
     * @param tuple   of the packet.
     * @param ingress that receives it.
     */
    private record Key(FlowTuple tuple, int ingress)
    {
    }

    private final Map<Key, Integer> model = new HashMap<>();
    private final Map<Integer, List<Key>> flows = new HashMap<>();
    private final Set<Integer> removed = new HashSet<>();
    private Random random;

    @Property(tries = 200)
    void shouldFindWhatAMapHas(@ForAll final long seed, @ForAll @IntRange(min = 1, max = 70) final int capacity)
    {
        random = new Random(seed);
        model.clear();
        flows.clear();
        removed.clear();
        try (FlowMemory memory = FlowMemory.ofProcess(capacity); TuplePacket packet = new TuplePacket())
        {
            final FlowTable table = new FlowTable(memory, capacity, random.nextLong());
            for (int step = 0; step < STEPS; step++)
            {
                change(table, capacity);
                assertEquals(flows.size(), table.size());
                for (int i = 0; i < FINDS; i++)
                {
                    final Key key = random.nextBoolean() || model.isEmpty() ? randomKey() : anyOf(model.keySet());
                    final int expected = model.getOrDefault(key, FlowTable.NONE);
                    assertEquals(expected, packet.put(key.tuple()).find(table, key.ingress(), hint(expected)));
                }
            }
            model.forEach((key, direction) ->
            {
                assertEquals(direction, packet.put(key.tuple()).find(table, key.ingress(), FlowTable.NONE));
                assertEquals(key.tuple(), table.tuple(direction));
                assertEquals(key.ingress(), table.ingress(direction));
            });
        }
    }

    private void change(final FlowTable table, final int capacity)
    {
        final int what = random.nextInt(8);
        if (what < 5)
        {
            add(table, capacity);
        }
        else if (what < 7 && !flows.isEmpty())
        {
            final int flow = anyOf(flows.keySet());
            flows.remove(flow).forEach(model::remove);
            table.remove(flow);
            removed.add(flow);
        }
        else if (!removed.isEmpty())
        {
            final int flow = anyOf(removed);
            removed.remove(flow);
            table.release(flow);
        }
    }

    private void add(final FlowTable table, final int capacity)
    {
        final Key original = randomKey();
        final boolean isNat = random.nextBoolean();
        final FlowTuple answer = original.tuple().inverse();
        final Key reply = new Key(
            isNat && !answer.isIcmp() ? new FlowTuple(answer.sourceHigh(), answer.sourceLow(),
                answer.destinationHigh(), answer.destinationLow(), answer.protocol(), answer.sourcePort(),
                random.nextInt(3)) : answer, anyInterface());
        final int flow = table.add(original.tuple(), original.ingress(), reply.ingress(),
            reply.tuple(), reply.ingress(), original.ingress());
        final boolean isAmbiguous = model.containsKey(original) || model.containsKey(reply);
        if (flows.size() + removed.size() == capacity)
        {
            assertEquals(FlowTable.FULL, flow);
        }
        else if (isAmbiguous)
        {
            assertEquals(FlowTable.AMBIGUOUS, flow);
        }
        else
        {
            assertTrue(flow >= 1 && flow <= capacity, "flow " + flow);
            assertFalse(removed.contains(flow) || flows.containsKey(flow), "its number is in use");
            model.put(original, 2 * flow);
            model.put(reply, 2 * flow + 1);
            flows.put(flow, List.of(original, reply));
        }
    }

    /** Few values, so that tuples return, and differ in one field. */
    private Key randomKey()
    {
        final int kind = random.nextInt(6);
        final boolean isIpv6 = kind % 2 == 1;
        final int protocol = switch (kind)
        {
            case 0, 1 -> IpProtocol.TCP;
            case 2, 3 -> IpProtocol.UDP;
            case 4 -> IpProtocol.ICMP;
            default -> IpProtocol.ICMPV6;
        };
        final boolean isEcho = kind >= 4;
        final int type = isIpv6 ? 128 : 8;
        // Source and destination are never the same.
        return new Key(new FlowTuple(
            isIpv6 ? 1 + random.nextInt(2) : 0, isIpv6 ? random.nextInt(2) : IpAddress.mappedLow(random.nextInt(2)),
            isIpv6 ? 3 + random.nextInt(2) : 0,
            isIpv6 ? random.nextInt(2) : IpAddress.mappedLow(0x8000_0000 | random.nextInt(2)),
            protocol, random.nextInt(3), isEcho ? type << Byte.SIZE | random.nextInt(2) : random.nextInt(3)),
            anyInterface());
    }

    private int anyInterface()
    {
        return INTERFACES[random.nextInt(INTERFACES.length)];
    }

    private int hint(final int direction)
    {
        return switch (random.nextInt(5))
        {
            case 0 -> direction;
            case 1 -> direction ^ 1;
            case 2 -> random.nextInt();
            case 3 -> FlowTable.NONE;
            default -> random.nextInt(160);
        };
    }

    private <T> T anyOf(final Set<T> set)
    {
        return new ArrayList<>(set).get(random.nextInt(set.size()));
    }
}
