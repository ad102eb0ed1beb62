package org.fibnuma.bench.fabric;

import org.fibnuma.fabric.topology.Fabric;
import org.fibnuma.fabric.topology.JoinedFatTrees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The generated networks have the sizes, degrees and diameters that the literature states. */
class NetworkFamiliesTest
{
    @ParameterizedTest
    @CsvSource({
        "torus 8x8, 64, 4, 4, 8", "torus 4x4x4, 64, 6, 6, 6", "torus 5x5x5, 125, 6, 6, 6", "mesh 4x4x4, 64, 3, 6, 9",
        "mesh 8x8, 64, 2, 4, 14", "hypercube 6, 64, 6, 6, 6", "hypercube 7, 128, 7, 7, 7", "HyperX 6x6, 36, 10, 10, 2",
        "slim fly 5, 50, 7, 7, 2", "slim fly 7, 98, 11, 11, 2", "dragonfly 36, 36, 5, 5, 3",
        "dragonfly 114, 114, 8, 8, 3", "Kautz 48, 48, 3, 4, 5", "de Bruijn 64, 64, 2, 4, 6",
        "Moebius-Kantor 16, 16, 3, 3, 4", "Tutte-Coxeter cage 30, 30, 3, 3, 4"})
    void shouldHaveTheDegreesAndDiameterOfTheFamily(
        final String name, final int switches, final int lowest, final int highest, final int diameter)
    {
        final Fabric fabric = BalanceTable.networks().get(name).get();
        assertEquals(switches, fabric.switchCount());
        int low = Integer.MAX_VALUE;
        int high = 0;
        int longest = 0;
        for (int node = 0; node < switches; node++)
        {
            low = Math.min(low, fabric.degree(node));
            high = Math.max(high, fabric.degree(node));
            longest = Math.max(longest, Arrays.stream(distances(fabric, node)).max().orElse(0));
        }
        assertEquals(lowest, low);
        assertEquals(highest, high);
        assertEquals(diameter, longest);
    }

    @Test
    void shouldRemoveCables()
    {
        final Fabric whole = JoinedFatTrees.single(6).fabric();
        final Fabric failed = NetworkFamilies.failed(whole, 6, 1);
        assertEquals(whole.channelCount() - 12, failed.channelCount());
        assertEquals(whole.serverCount(), failed.serverCount());
        assertEquals(whole.switchName(whole.serverSwitch(17)), failed.switchName(failed.serverSwitch(17)));
    }

    /** Relaxes all channels until nothing changes. */
    private static int[] distances(final Fabric fabric, final int from)
    {
        final int[] distance = new int[fabric.switchCount()];
        Arrays.fill(distance, fabric.switchCount());
        distance[from] = 0;
        for (int round = 0; round < fabric.switchCount(); round++)
        {
            for (int channel = 0; channel < fabric.channelCount(); channel++)
            {
                distance[fabric.target(channel)] =
                    Math.min(distance[fabric.target(channel)], distance[fabric.source(channel)] + 1);
            }
        }
        return distance;
    }
}
