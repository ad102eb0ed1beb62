package org.fibnuma.bench.control;

import org.fibnuma.bench.lab.MeasurementCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.Map;

/** {@code fibnuma bench control}: measures what routing changes cost the control thread and a worker. */
@Command(
    name = "control",
    description = {
        "Passes routes to the router's tables as the kernel does, then single changes, flaps and dumps; first IPv4, " +
        "then IPv6. Prints for each of them the longest step of the control thread and the longest pause of a " +
        "thread that looks up addresses.",
        "With --fpm FRR is in front of it: a BGP neighbour announces the routes to bgpd, and zebra hands them to a " +
        "router by FPM and installs them in the kernel. Prints how long each took. Needs root and FRR.",
        "With FIBNUMA_JAVA_OPTS=-Xlog:safepoint,gc the JVM logs the pauses that it caused."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma bench control --rounds 10 --json",
        "  fibnuma bench control --fpm --routes 1000000 --json"
    })
public final class BenchControlCommand extends MeasurementCommand
{
    @Option(names = "--routes", defaultValue = "900000", paramLabel = "N",
        description = "of IPv4, generated (${DEFAULT-VALUE})")
    private int routes;

    @Option(names = "--ipv6-routes", defaultValue = "200000", paramLabel = "N",
        description = "of IPv6, generated (${DEFAULT-VALUE})")
    private int ipv6Routes;

    @Option(names = "--rounds", defaultValue = "3", paramLabel = "N",
        description = "of flaps and dumps (${DEFAULT-VALUE})")
    private int rounds;

    @Option(names = "--fpm",
        description = "measure how soon IPv4 routes of a BGP neighbour are in the FIB by FPM, instead of the above")
    private boolean fpm;

    /** Creates the command for picocli. */
    public BenchControlCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        require(routes >= 1 && ipv6Routes >= 1 && rounds >= 1,
            "--routes, --ipv6-routes and --rounds must be 1 or more");
        if (fpm)
        {
            return runFpm();
        }
        final ControlPlaneResult ipv4 = run(false, routes);
        final ControlPlaneResult ipv6 = run(true, ipv6Routes);
        final Map<String, Object> map = ipv4.toMap();
        map.put("ipv6", ipv6.toMap());
        output().print(map, out ->
        {
            ipv4.print(out, "IPv4");
            ipv6.print(out, "IPv6");
        });
        return DONE;
    }

    private int runFpm() throws IOException
    {
        requireNamespaces();
        try (FpmRun run = FpmRun.open())
        {
            final FpmResult result = run.run(routes);
            output().print(result.toMap(), result::print);
        }
        return DONE;
    }

    private ControlPlaneResult run(final boolean isIpv6, final int count)
    {
        try (ControlPlaneRun run = new ControlPlaneRun(isIpv6, count))
        {
            return run.run(rounds);
        }
    }
}
