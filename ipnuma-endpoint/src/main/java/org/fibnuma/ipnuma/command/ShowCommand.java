package org.fibnuma.ipnuma.command;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.core.service.command.Watch;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.memory.RegionMapping;
import org.fibnuma.ipnuma.memory.RegionStore;
import org.fibnuma.ipnuma.table.RegionAccess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Prints the peers and regions of a running endpoint. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Prints the peers and regions of a running endpoint.",
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma ipnuma show --name a")
final class ShowCommand implements Callable<Integer>
{
    private static final String MAC = "mac";
    private static final String ROUND_TRIP = "roundTripNs";
    private static final String PENDING = "pendingWrites";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The running endpoint (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() throws IOException
    {
        watch.print(json, this::answer, this::print);
        return IpnumaCommand.OK;
    }

    private Map<String, Object> answer() throws IOException
    {
        final Path directory = CountersFile.directoryOf(name);
        final Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", name);
        try (CountersFileReader reader = CountersFileReader.open(directory))
        {
            reader.requireWriter();
            answer.put("pid", reader.pid());
            answer.put("started", Instant.ofEpochMilli(reader.startTimeMs()).toString());
            answer.put("peers", peers(reader.counters()));
        }
        answer.put("regions", regions(RegionStore.directoryOf(directory)));
        return answer;
    }

    private static List<Map<String, Object>> peers(final CountersReader counters)
    {
        final Map<Integer, Map<String, Object>> peers = new TreeMap<>();
        counters.forEach((id, typeId, key, label) ->
        {
            final int index = typeId - PeerCounters.PEER_TYPE;
            if (index >= PeerCounters.UP && index <= PeerCounters.PENDING_WRITES)
            {
                final int pcId = key.getInt(0);
                final long value = counters.getCounterValue(id);
                put(peers.computeIfAbsent(pcId, number -> new LinkedHashMap<>(Map.of("id", number))),
                    index, label, value);
            }
        });
        return new ArrayList<>(peers.values());
    }

    private static void put(
        final Map<String, Object> peer, final int index, final String label, final long value)
    {
        switch (index)
        {
            case PeerCounters.UP ->
            {
                final String[] words = label.split(" ");
                peer.put("address", words[2]);
                peer.put("format", words[3]);
                peer.put("up", value != 0);
            }
            case PeerCounters.MAC -> peer.put(MAC, value == 0 ? "" : MacAddress.format(value));
            case PeerCounters.ROUND_TRIP -> peer.put(ROUND_TRIP, value);
            default -> peer.put(PENDING, value);
        }
    }

    private static List<Map<String, Object>> regions(final Path directory) throws IOException
    {
        final List<Map<String, Object>> regions = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.sorted().toList())
            {
                add(file, regions);
            }
        }
        return regions;
    }

    private static void add(final Path file, final List<Map<String, Object>> regions)
    {
        try (RegionMapping mapping = RegionMapping.open(file))
        {
            final Map<String, Object> region = new LinkedHashMap<>();
            region.put("name", mapping.name());
            region.put("id", mapping.id());
            region.put("sizeBytes", mapping.size());
            region.put("access", RegionAccess.format(mapping.access()));
            region.put("state", mapping.state().name().toLowerCase(Locale.ROOT));
            region.put("file", file.toString());
            regions.add(region);
        }
        catch (final UserException ignore)
        {
            // The lock of the directory, or an incomplete region.
        }
    }

    private void print(final Map<String, Object> answer)
    {
        if (json)
        {
            IpnumaCommand.printJson(spec, answer, watch.isGiven());
        }
        else
        {
            printText(answer);
        }
    }

    private void printText(final Map<String, Object> answer)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.println("endpoint " + answer.get("name") + ", pid " + answer.get("pid") + ", since " +
            answer.get("started"));
        for (final Object entry : (List<?>)answer.get("peers"))
        {
            final Map<?, ?> peer = (Map<?, ?>)entry;
            out.println(String.format("peer   %-5s %-15s %-10s %-4s %-17s round trip %,d ns, %,d writes pending",
                peer.get("id"), peer.get("address"), peer.get("format"), (Boolean)peer.get("up") ? "up" : "down",
                peer.get(MAC), (Long)peer.get(ROUND_TRIP), (Long)peer.get(PENDING)));
        }
        for (final Object entry : (List<?>)answer.get("regions"))
        {
            final Map<?, ?> region = (Map<?, ?>)entry;
            out.println(String.format("region %-5s %-15s %,d bytes, %s, %s, %s", region.get("id"), region.get("name"),
                (Long)region.get("sizeBytes"), region.get("access"), region.get("state"), region.get("file")));
        }
    }
}
