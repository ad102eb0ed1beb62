package org.fibnuma.bench.differential;

import org.fibnuma.core.UserException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What happens to both labs from their beginning on.
 *
 * @param before  commands before the router starts.
 * @param during  commands while it runs.
 * @param packets what is sent afterwards.
 */
record Scenario(List<String> before, List<String> during, List<Packet> packets)
{
    /** Returns all commands in their order. */
    List<String> commands()
    {
        final List<String> commands = new ArrayList<>(before);
        commands.addAll(during);
        return commands;
    }

    /** Returns source addresses of packets, in hexadecimal digits, without those of the machine itself. */
    static Set<String> sources(final List<Packet> packets)
    {
        final Set<String> sources = new HashSet<>();
        for (final Packet packet : packets)
        {
            add(packet.frame(), 26, 4, sources);
            add(packet.frame(), 22, 16, sources);
        }
        return sources;
    }

    private static void add(final byte[] frame, final int offset, final int length, final Set<String> sources)
    {
        if (frame.length >= offset + length)
        {
            final String source = Outcome.address(frame, offset, length);
            if (!Outcome.isMachine(source))
            {
                sources.add(source);
            }
        }
    }

    /**
     * Runs this in two new labs.
     *
     * @return the outcomes of both.
     * @throws UserException if the router does not start.
     */
    Comparison run()
    {
        try (LabPair labs = new LabPair())
        {
            labs.apply(before);
            labs.startRouter();
            if (!during.isEmpty())
            {
                labs.apply(during);
                labs.settle();
            }
            return labs.compare(packets, packets.size() == 1 ? OnPurpose.of(commands(), packets.get(0)) : null,
                LabPair.FAILURE_MS);
        }
    }
}
