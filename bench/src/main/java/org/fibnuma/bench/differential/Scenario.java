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
            if (packet.frame().length >= 54)
            {
                for (final String source : new String[] {
                    Outcome.address(packet.frame(), 26, 4), Outcome.address(packet.frame(), 22, 16)})
                {
                    if (!Outcome.isMachine(source))
                    {
                        sources.add(source);
                    }
                }
            }
        }
        return sources;
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
            return labs.compare(packets, packets.size() == 1 ? OnPurpose.of(commands(), packets.get(0)) : null);
        }
    }
}
