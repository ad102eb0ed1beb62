package org.fibnuma.fabric.topology;

import org.fibnuma.core.UserException;

import java.util.Arrays;
import java.util.Random;

/**
 * Generates random networks as in section 5.2 of Nakashima et al. (IPSJ Trans. ACS 4(4), 2011): free ports of two
 * switches are drawn and connected until no two are left. Two switches may get several cables. A network that is not
 * connected is drawn again.
 */
public final class RandomNetwork
{
    private static final int MAX_DRAWS = 10_000;

    private RandomNetwork()
    {
    }

    /**
     * Generates a connected network, in which ports may stay free.
     *
     * @param switches number of switches, 2 or more.
     * @param ports    of each switch for cables to other switches.
     * @param servers  at each switch.
     * @throws UserException if no draw gives a connected network.
     */
    public static Fabric generate(final int switches, final int ports, final int servers, final Random random)
    {
        for (int draw = 0; draw < MAX_DRAWS; draw++)
        {
            final FabricBuilder builder = new FabricBuilder("random network");
            for (int node = 0; node < switches; node++)
            {
                builder.addSwitch("S" + node, Fabric.NO_GUID, -1);
            }
            connect(builder, switches, ports, random);
            for (int server = 0; server < switches * servers; server++)
            {
                builder.addServer(server / servers, "H" + server);
            }
            try
            {
                return builder.build();
            }
            catch (final UserException apart)
            {
                continue;
            }
        }
        throw UserException.usage("random network: " + switches + " switches with " + ports +
            " ports were not connected in any draw; use more ports");
    }

    private static void connect(
        final FabricBuilder builder, final int switches, final int ports, final Random random)
    {
        final int[] free = new int[switches * ports];
        for (int i = 0; i < free.length; i++)
        {
            free[i] = i / ports;
        }
        int left = free.length;
        while (Arrays.stream(free, 0, left).anyMatch(node -> node != free[0]))
        {
            final int i = random.nextInt(left);
            final int j = random.nextInt(left);
            if (free[i] != free[j])
            {
                builder.addParallelCable(free[i], free[j]);
                free[Math.max(i, j)] = free[left - 1];
                free[Math.min(i, j)] = free[left - 2];
                left -= 2;
            }
        }
    }

}
