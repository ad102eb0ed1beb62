package org.fibnuma.ipnuma.command;

import org.agrona.concurrent.status.CountersReader;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.core.service.command.Paragraph;
import org.fibnuma.core.service.command.Watch;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.fate.DropReason;
import org.fibnuma.ipnuma.fate.EndpointCounters;
import org.fibnuma.ipnuma.fate.PeerCounters;
import org.fibnuma.ipnuma.table.Peer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Prints the counters of a running endpoint. */
@Command(
    name = "counters",
    mixinStandardHelpOptions = true,
    description = "Prints the counters of a running endpoint: frames, drop reasons, and the session of each peer.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma counters --name a",
        "  fibnuma ipnuma counters --name a --all --json"
    })
final class CountersCommand implements Callable<Integer>
{
    private static final String NO_MAC = "";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The running endpoint (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--all", description = "Print counters that are 0 too.")
    private boolean all;

    @Option(names = "--json", description = "Print JSON, with counters that are 0.")
    private boolean json;

    @Mixin
    private Watch watch;

    @Override
    public Integer call() throws IOException
    {
        watch.print(json, () -> CountersFileReader.open(CountersFile.directoryOf(name)), reader ->
        {
            try (reader)
            {
                print(read(reader.counters()));
                reader.requireWriter();
            }
        });
        return IpnumaCommand.OK;
    }

    private void print(final Map<String, Object> values)
    {
        if (json)
        {
            IpnumaCommand.printJson(spec, values, watch.isGiven());
        }
        else
        {
            values.forEach(this::printLine);
            for (final DropReason reason : DropReason.values())
            {
                if (!values.getOrDefault(EndpointCounters.labelOf(reason), 0L).equals(0L))
                {
                    explain(reason);
                }
            }
        }
    }

    private void explain(final DropReason reason)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.println();
        out.println(reason.label());
        out.print(Paragraph.format(reason.meaning()));
        out.print(Paragraph.format(reason.remedy()));
    }

    private void printLine(final String label, final Object value)
    {
        final boolean isNumber = value instanceof Long;
        if (all || !value.equals(isNumber ? 0L : NO_MAC))
        {
            spec.commandLine().getOut().println(
                String.format(isNumber ? "%-40s %,17d" : "%-40s %17s", label, value));
        }
    }

    /** Returns counts, and MAC addresses of peers as text, by label. */
    private static Map<String, Object> read(final CountersReader counters)
    {
        final Map<String, Object> values = new LinkedHashMap<>();
        counters.forEach((id, typeId, key, label) ->
        {
            final long value = counters.getCounterValue(id);
            final boolean isMac = typeId == PeerCounters.PEER_TYPE + PeerCounters.MAC;
            values.put(label, isMac ? formatMac(value) : (Object)value);
        });
        return values;
    }

    private static String formatMac(final long mac)
    {
        return mac == Peer.NO_MAC ? NO_MAC : MacAddress.format(mac);
    }
}
