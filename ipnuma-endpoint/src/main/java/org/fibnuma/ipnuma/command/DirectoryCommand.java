package org.fibnuma.ipnuma.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.agent.Termination;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry;
import org.fibnuma.ipnuma.naming.etcd.DirectoryEntry.PublishedRegion;
import org.fibnuma.ipnuma.naming.etcd.DirectoryListener;
import org.fibnuma.ipnuma.naming.etcd.DirectorySettings;
import org.fibnuma.ipnuma.naming.etcd.DirectoryWatch;
import org.fibnuma.ipnuma.table.RegionAccess;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Prints the endpoints in the directory. */
@Command(
    name = "directory",
    mixinStandardHelpOptions = true,
    description = {
        "Prints the endpoints that are registered in etcd, with their addresses and regions.",
        "With --watch it prints a line for each change too, until Ctrl-C."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma directory --etcd http://127.0.0.1:2379",
        "  fibnuma ipnuma directory --etcd http://127.0.0.1:2379 --watch --json"
    })
final class DirectoryCommand implements Callable<Integer>
{
    private static final long CHECK_MS = 1000;
    private static final String ROW = "%-20s %-15s %-21s %s";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private DirectoryOptions options;

    @Option(names = "--watch", description = "Follow the directory.")
    private boolean watch;

    @Option(names = "--json", description = "Print JSON: a list, or with --watch an object for each change.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException
    {
        if (!options.isGiven())
        {
            throw new CommandLine.ParameterException(
                spec.commandLine(), "--etcd is missing; give the URL of a member, such as http://127.0.0.1:2379");
        }
        final DirectorySettings settings = options.settings();
        if (watch)
        {
            follow(settings);
            return IpnumaCommand.OK;
        }
        final List<DirectoryEntry> entries = DirectoryWatch.list(settings);
        if (json)
        {
            IpnumaCommand.printJson(spec, entries.stream().map(DirectoryEntry::toJson).toList());
        }
        else
        {
            print(ROW, "endpoint", "address", "names", "regions");
            entries.forEach(entry -> print(ROW, cells(entry)));
        }
        return IpnumaCommand.OK;
    }

    private void follow(final DirectorySettings settings) throws InterruptedException
    {
        final DirectoryListener printer = new DirectoryListener()
        {
            @Override
            public void onEndpoint(final DirectoryEntry entry)
            {
                printChange("registered", entry);
            }

            @Override
            public void onGone(final DirectoryEntry last)
            {
                printChange("gone", last);
            }
        };
        try (Termination termination = new Termination())
        {
            final DirectoryWatch followed = DirectoryWatch.start(settings, printer);
            while (!termination.await(CHECK_MS))
            {
                continue;
            }
            followed.close();
        }
    }

    private void printChange(final String event, final DirectoryEntry entry)
    {
        if (json)
        {
            final ObjectNode object = entry.toJson();
            object.put("event", event);
            print("%s", object);
        }
        else
        {
            print("%-10s " + ROW, event, entry.name(), Ipv4Address.format(entry.ipv4()), names(entry), regions(entry));
        }
    }

    private static Object[] cells(final DirectoryEntry entry)
    {
        return new Object[]{ entry.name(), Ipv4Address.format(entry.ipv4()), names(entry), regions(entry) };
    }

    private static String names(final DirectoryEntry entry)
    {
        return entry.names() == null ? "-" : entry.names();
    }

    private static String regions(final DirectoryEntry entry)
    {
        return entry.regions().stream().map(DirectoryCommand::region).collect(Collectors.joining(", "));
    }

    private static String region(final PublishedRegion region)
    {
        return region.name() + " (id " + region.id() + ", " + region.size() + " bytes, " +
            RegionAccess.format(region.access()) + ")";
    }

    private void print(final String format, final Object... cells)
    {
        spec.commandLine().getOut().println(String.format(format, cells).stripTrailing());
        spec.commandLine().getOut().flush();
    }
}
