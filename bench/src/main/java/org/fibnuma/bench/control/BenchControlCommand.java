package org.fibnuma.bench.control;

import org.fibnuma.bench.lab.MeasurementOutput;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma bench control}: measures what routing changes cost the control thread and a worker. */
@Command(
    name = "control",
    description = {
        "Passes routes to the router's tables as the kernel does, then single changes, flaps and dumps; first IPv4, " +
        "then IPv6. Prints for each of them the longest step of the control thread and the longest pause of a " +
        "thread that looks up " +
        "addresses.",
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
public final class BenchControlCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

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

    @Mixin
    private MeasurementOutput output;

    /** Creates the command for picocli. */
    public BenchControlCommand()
    {
    }

    @Override
    public Integer call() throws IOException
    {
        if (routes < 1 || ipv6Routes < 1 || rounds < 1)
        {
            throw new ParameterException(
                spec.commandLine(), "--routes, --ipv6-routes and --rounds must be 1 or more");
        }
        if (fpm)
        {
            return runFpm();
        }
        final ControlPlaneResult ipv4 = run(false, routes);
        final ControlPlaneResult ipv6 = run(true, ipv6Routes);
        final Map<String, Object> map = ipv4.toMap();
        map.put("ipv6", ipv6.toMap());
        output.print(map, out ->
        {
            ipv4.print(out, "IPv4");
            ipv6.print(out, "IPv6");
        });
        return 0;
    }

    private int runFpm() throws IOException
    {
        final String obstacle = Host.obstacle("./fibnuma bench control --fpm");
        if (obstacle != null)
        {
            throw new UserException(obstacle);
        }
        try (FpmRun run = new FpmRun())
        {
            final FpmResult result = run.run(routes);
            final Map<String, Object> map = result.toMap();
            output.print(map, result::print);
        }
        return 0;
    }

    private ControlPlaneResult run(final boolean isIpv6, final int count)
    {
        try (ControlPlaneRun run = new ControlPlaneRun(isIpv6, count))
        {
            return run.run(rounds);
        }
    }
}
