package org.fibnuma.fabric.deadlock;

import org.fibnuma.fabric.plan.Demand;
import org.fibnuma.fabric.tables.DestinationRoutes;
import org.fibnuma.fabric.tables.ForwardingTables;
import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.FabricBuilder;
import org.fibnuma.fabric.turns.TurnAddition;

/**
 * The paper's figure 1: a ring in which every server sends to the opposite one over the shortest path, clockwise on
 * ties. After some time all buffers are full of packets with at least one more switch to go, and wait for each other.
 * <p>
 * Switches S0, S1 and so on are in the order of the ring. The servers H0, H1 and so on of a switch have consecutive
 * numbers.
 */
public final class RingDemonstration
{
    private static final long SEED = 1;

    private final Fabric ring;

    /** Creates a ring of 4 or more switches with one server each. */
    public RingDemonstration(final int switches)
    {
        this(switches, 1);
    }

    /** Creates a ring of 4 or more switches with some servers each. */
    public RingDemonstration(final int switches, final int serversPerSwitch)
    {
        final FabricBuilder builder = new FabricBuilder("ring");
        for (int node = 0; node < switches; node++)
        {
            builder.addSwitch("S" + node, Fabric.NO_GUID, -1);
            for (int server = node * serversPerSwitch; server < (node + 1) * serversPerSwitch; server++)
            {
                builder.addServer(node, "H" + server);
            }
        }
        for (int node = 0; node < switches; node++)
        {
            builder.addCable(node, (node + 1) % switches);
        }
        this.ring = builder.build();
    }

    /** {@return tables of shortest paths, clockwise on ties} */
    public ForwardingTables shortestPaths()
    {
        final ForwardingTables tables = new ForwardingTables(ring);
        final int switches = ring.switchCount();
        for (int server = 0; server < ring.serverCount(); server++)
        {
            for (int node = 0; node < switches; node++)
            {
                final int clockwise = Math.floorMod(ring.serverSwitch(server) - node, switches);
                final int neighbor = 2 * clockwise <= switches ? node + 1 : node - 1 + switches;
                if (clockwise != 0)
                {
                    tables.set(node, server, channel(node, neighbor % switches));
                }
            }
        }
        return tables;
    }

    private int channel(final int from, final int to)
    {
        int channel = ring.firstChannel(from);
        while (ring.target(channel) != to)
        {
            channel++;
        }
        return channel;
    }

    /** {@return tables over the turns that turn addition allows} */
    public ForwardingTables planned()
    {
        return DestinationRoutes.of(TurnAddition.sound(1), ring, Demand.uniform(ring));
    }

    /** {@return the opposite server, to which a server sends} */
    public int across(final int server)
    {
        return (server + ring.serverCount() / 2) % ring.serverCount();
    }

    /**
     * Sends packets from every server to the opposite one, until everything is delivered or nothing moves.
     *
     * @param capacity packets that fit in a buffer.
     * @param packets  number for each server.
     */
    public LosslessNetwork run(final ForwardingTables tables, final int capacity, final int packets)
    {
        final LosslessNetwork network = new LosslessNetwork(tables, capacity, SEED);
        for (int server = 0; server < ring.serverCount(); server++)
        {
            network.send(server, across(server), packets);
        }
        network.run();
        return network;
    }
}
