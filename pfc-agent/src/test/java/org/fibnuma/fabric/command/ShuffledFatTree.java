package org.fibnuma.fabric.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A fat tree of three levels in files, without names or an order that tell its levels: k pods of k/2 bottom and k/2
 * middle switches, k^2/4 top switches, k/2 servers at each bottom switch, and some cables fewer.
 */
final class ShuffledFatTree
{
    private final int switches;
    private final List<List<String>> ports = new ArrayList<>();
    private final Random random;
    private final List<String> servers = new ArrayList<>();
    private final int[] label;

    ShuffledFatTree(final int k, final int failed, final long seed)
    {
        final int half = k / 2;
        random = new Random(seed);
        switches = k * k + half * half;
        final List<Integer> labels = new ArrayList<>();
        for (int node = 0; node < switches; node++)
        {
            labels.add(node);
            ports.add(new ArrayList<>());
        }
        Collections.shuffle(labels, random);
        label = labels.stream().mapToInt(Integer::intValue).toArray();
        final List<int[]> cables = new ArrayList<>();
        for (int pod = 0; pod < k; pod++)
        {
            for (int i = 0; i < half * half; i++)
            {
                // Bottom to middle in the pod, and middle to the top switches of its group.
                cables.add(new int[]{pod * k + i / half, pod * k + half + i % half});
                cables.add(new int[]{pod * k + half + i / half, k * k + i});
            }
        }
        Collections.shuffle(cables, random);
        cables.subList(failed, cables.size()).forEach(cable -> join(cable[0], cable[1]));
        for (int i = 0; i < k * half * half; i++)
        {
            final int bottom = i / half / half * k + i / half % half;
            final String server = "H" + i;
            servers.add("Hca 1 \"" + server + "\"\n[1] \"" + name(bottom) + "\"[" +
                (ports.get(bottom).size() + 1) + "]\n");
            ports.get(bottom).add(server + " 1");
        }
    }

    private String name(final int node)
    {
        return "X" + label[node];
    }

    private void join(final int a, final int b)
    {
        final int portA = ports.get(a).size() + 1;
        ports.get(a).add(name(b) + " " + (ports.get(b).size() + 1));
        ports.get(b).add(name(a) + " " + portA);
    }

    /** Writes the input of ibsim. */
    void writeNet(final Path file) throws IOException
    {
        final List<String> blocks = new ArrayList<>(servers);
        for (int node = 0; node < switches; node++)
        {
            final StringBuilder block = new StringBuilder("Switch 16 \"" + name(node) + "\"\n");
            for (int port = 0; port < ports.get(node).size(); port++)
            {
                final String[] far = ports.get(node).get(port).split(" ");
                block.append("[" + (port + 1) + "] \"" + far[0] + "\"[" + far[1] + "]\n");
            }
            blocks.add(block.toString());
        }
        Collections.shuffle(blocks, random);
        Files.writeString(file, String.join("\n", blocks));
    }

    /** Writes what lldpcli prints at each switch, into a folder. */
    void writeLldp(final Path folder) throws IOException
    {
        Files.createDirectories(folder);
        for (int node = 0; node < switches; node++)
        {
            final List<String> interfaces = new ArrayList<>();
            for (int port = 0; port < ports.get(node).size(); port++)
            {
                final String[] far = ports.get(node).get(port).split(" ");
                interfaces.add("""
                    {"eth%d": {"via": "LLDP", "chassis": {"%s": {"id": {"type": "mac", "value": "02:00:00:00:00:01"}}},
                    "port": {"id": {"type": "ifname", "value": "eth%s"}}}}""".formatted(port + 1, far[0], far[1]));
            }
            Collections.shuffle(interfaces, random);
            Files.writeString(folder.resolve(name(node) + ".json"),
                "{\"lldp\": {\"interface\": [" + String.join(",", interfaces) + "]}}");
        }
    }
}
