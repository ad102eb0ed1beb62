package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.service.command.Watch;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.jline.utils.AttributedString;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shows the rates of a running router on a terminal at an interval. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
        "A live screen of a running router: packets and bits a second of each port, drops by reason, and the work " +
            "of each worker. Keys: q quits, space reads at once.",
        "With --batch it prints plain text or, with --json, JSON.",
        "BATCH is the number of packets in a duty cycle with packets, BUSY %% the share of duty cycles with work, " +
            "CPU %% the share of time in which the worker ran, and NS/PKT this time for each packet, with idle polls."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma top",
        "  fibnuma top --batch -n 1"
    })
final class TopCommand extends RouterQuery
{
    private static final double SHORTEST_INTERVAL = 0.1;
    private static final double LONGEST_INTERVAL = 3600;
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    @Option(
        names = {"-i", "--interval"}, defaultValue = "1", paramLabel = "SECONDS",
        description = "Time between screens, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    private double interval;

    @Option(names = {"-b", "--batch"}, description = "Print screens one after the other, for a file or a pipe.")
    private boolean batch;

    @Option(
        names = {"-n", "--count"}, paramLabel = "N",
        description = "End after N screens (default: never).")
    private Integer count;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        requireOptions();
        if (batch)
        {
            printScreens(client);
        }
        else
        {
            try (TopTerminal terminal = TopTerminal.open())
            {
                show(client, terminal);
            }
        }
        return FibnumaCommand.OK;
    }

    private void requireOptions()
    {
        refuse(!(interval >= SHORTEST_INTERVAL && interval <= LONGEST_INTERVAL),
            "--interval: " + interval + " is not in 0.1 to 3600");
        refuse(count != null && count < 1, "--count: " + count + " is not 1 or more");
        refuse(isJson() && !batch, "--json needs --batch");
    }

    private void printScreens(final ControlClient client) throws IOException
    {
        TopFigures.Sample last = sample(client);
        for (long screen = 0; count == null || screen < count; screen++)
        {
            if (!await(last.timeNs() + intervalNs()) || Watch.isClosed(out()))
            {
                return;
            }
            final TopFigures.Sample now = sample(client);
            final JsonNode figures = TopFigures.between(client.name(), last, now);
            if (isJson())
            {
                out().println(figures);
            }
            else
            {
                out().print(screen == 0 ? "" : System.lineSeparator());
                TopScreen.lines(figures, TopScreen.UNLIMITED, TopScreen.UNLIMITED).forEach(out()::println);
            }
            out().flush();
            last = now;
        }
    }

    private void show(final ControlClient client, final TopTerminal terminal) throws IOException
    {
        TopFigures.Sample last = sample(client);
        terminal.show((columns, rows) -> List.of(
            new AttributedString("router " + client.name() + "  the first figures follow in " + interval + " s")));
        for (long screen = 0; count == null || screen < count; screen++)
        {
            if (!terminal.awaitTimeOrKey(last.timeNs() + intervalNs()))
            {
                return;
            }
            final TopFigures.Sample now = sample(client);
            final JsonNode figures = TopFigures.between(client.name(), last, now);
            terminal.show((columns, rows) -> TopScreen.lines(figures, columns, rows));
            last = now;
        }
    }

    private TopFigures.Sample sample(final ControlClient client) throws IOException
    {
        final JsonNode ports = client.ask(ControlProtocol.request("ports"));
        final JsonNode drops = client.ask(ControlProtocol.request("drops"));
        final JsonNode stages = client.ask(ControlProtocol.request("stages"));
        return new TopFigures.Sample(System.nanoTime(), ports, drops, stages);
    }

    private long intervalNs()
    {
        return Math.round(interval * NANOS_PER_SECOND);
    }

    /** Returns false if the thread was interrupted. */
    private static boolean await(final long timeNs)
    {
        try
        {
            TimeUnit.NANOSECONDS.sleep(timeNs - System.nanoTime());
            return true;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
