package org.fibnuma.fibnic.demo;

import org.fibnuma.core.UserException;
import org.fibnuma.core.agent.CleanEnd;
import org.fibnuma.core.service.command.ResultOutput;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** The command {@code fibnuma demo}. */
@Command(
    name = "demo",
    description = {
        "Shows the router at work for IPv4 and IPv6: tables of the Internet's size, pings, traces, UDP at full speed.",
        "As root in network namespaces of its own, over AF_XDP; otherwise in memory. Leaves nothing behind."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma demo --seconds 3",
        "  fibnuma demo --memory --routes 100000 --seconds 3 --json"
    })
public final class DemoCommand implements Callable<Integer>
{
    private static final int FAILED = 1;
    private static final int MIN_SECONDS = 1;
    private static final int MAX_SECONDS = 3600;
    private static final int MIN_ROUTES = 1000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", defaultValue = "10", description = "of traffic (${DEFAULT-VALUE})")
    private int seconds;

    @Option(names = "--routes", defaultValue = "950000", description = "of IPv4, from 1000 (${DEFAULT-VALUE})")
    private int routes;

    @Option(names = "--ipv6-routes", defaultValue = "200000", description = "of IPv6, from 1000 (${DEFAULT-VALUE})")
    private int ipv6Routes;

    @Option(names = "--memory", description = "stay in memory although this is root")
    private boolean memory;

    @Mixin
    private ResultOutput output;

    /** Creates the command; called by picocli. */
    public DemoCommand()
    {
    }

    @Override
    public Integer call() throws Exception
    {
        if (seconds < MIN_SECONDS || seconds > MAX_SECONDS || routes < MIN_ROUTES || ipv6Routes < MIN_ROUTES)
        {
            throw new ParameterException(spec.commandLine(), "--seconds must be " + MIN_SECONDS + " to " + MAX_SECONDS +
                ", --routes and --ipv6-routes at least " + MIN_ROUTES);
        }
        return CleanEnd.during(() ->
        {
            final DemoReport report = run();
            output.print(report.toMap(), report::print);
            return report.isBalanced() ? 0 : FAILED;
        });
    }

    private DemoReport run() throws IOException
    {
        output.say("Fibnuma: a software router in Java. This is a demo of about " + (seconds + 8) + " s.");
        AbandonedDemos.remove();
        final DemoTable table = new DemoTable(routes, ipv6Routes);
        final long start = System.nanoTime();
        try (DemoNetwork network = open(table))
        {
            final DemoReport report = new DemoReport(network.mode(), table.size(false), table.size(true));
            report.ready((System.nanoTime() - start) / 1e9);
            output.say("  ready  " + network.description());
            output.say(String.format(
                "  table  %,d IPv4 and %,d IPv6 routes, generated and loaded; forwarding after %.1f s",
                table.size(false), table.size(true), (System.nanoTime() - start) / 1e9));
            new Demo(network, table, report, output.progress()).run(seconds);
            return report;
        }
    }

    private DemoNetwork open(final DemoTable table) throws IOException
    {
        final Path routesFile = Files.createTempFile("fibnuma-demo-", ".routes");
        try
        {
            table.write(routesFile);
            String obstacle = memory ? "--memory was given" : Host.obstacle("./fibnuma demo");
            if (obstacle == null)
            {
                try
                {
                    return NamespaceNetwork.open(routesFile);
                }
                catch (final UserException ex)
                {
                    if (Thread.currentThread().isInterrupted())
                    {
                        throw ex;
                    }
                    obstacle = ex.getMessage();
                }
            }
            output.say("  in memory, not on network interfaces: " + obstacle);
            return MemoryNetwork.open(routesFile);
        }
        finally
        {
            Files.deleteIfExists(routesFile);
        }
    }
}
