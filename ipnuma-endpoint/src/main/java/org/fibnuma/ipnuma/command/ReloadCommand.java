package org.fibnuma.ipnuma.command;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.endpoint.ReloadOutcome;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Lets a running endpoint read its configuration again. */
@Command(
    name = "reload",
    mixinStandardHelpOptions = true,
    description = {
        "Lets a running endpoint read its configuration file again and prints what has changed, a line for each.",
        "Peers, the rights of regions (access, allow, key), names-allow and log-level can change. A peer that has " +
            "changed is connected anew; the others are not interrupted.",
        "If the file is wrong or any other key differs, nothing changes. SIGHUP to the endpoint does the same.",
        "Exit status: 0 the file is in force, 1 nothing has changed because of the printed line, 2 wrong usage."
    },
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma ipnuma reload --name a")
final class ReloadCommand implements Callable<Integer>
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_MS = 5;
    private static final String NUMBER = "number";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
        names = "--name", defaultValue = EndpointConfig.DEFAULT_NAME, paramLabel = "NAME",
        description = "The running endpoint (default: ${DEFAULT-VALUE}).")
    private String name;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final Path directory = CountersFile.directoryOf(name);
        final ReloadOutcome outcome = new ReloadOutcome(directory);
        final long pid;
        try (CountersFileReader reader = CountersFileReader.open(directory))
        {
            reader.requireWriter();
            pid = reader.pid();
        }
        final long before = number(outcome);
        signal(pid);
        final JsonNode answer = await(outcome, before, pid);
        final String error = answer.get("error").asText();
        if (!error.isEmpty())
        {
            throw new UserException(error);
        }
        if (json)
        {
            IpnumaCommand.printJson(spec, answer);
            return IpnumaCommand.OK;
        }
        answer.get("changes").forEach(line -> spec.commandLine().getOut().println(line.asText()));
        if (answer.get("changes").isEmpty())
        {
            spec.commandLine().getOut().println("nothing has changed");
        }
        spec.commandLine().getOut().flush();
        return IpnumaCommand.OK;
    }

    /** Returns the number of the last reload. A process without this file does not reload: the signal would end it. */
    private long number(final ReloadOutcome outcome) throws IOException
    {
        try
        {
            return outcome.read().get(NUMBER).asLong();
        }
        catch (final FileNotFoundException ex)
        {
            throw new UserException("\"" + name + "\" is not an endpoint that was started by \"fibnuma ipnuma " +
                "endpoint\"; restart the program that runs it", ex);
        }
    }

    private static void signal(final long pid) throws IOException, InterruptedException
    {
        final Process kill = new ProcessBuilder("sh", "-c", "kill -HUP " + pid).redirectErrorStream(true).start();
        final String output = new String(kill.getInputStream().readAllBytes(), Charset.defaultCharset());
        if (kill.waitFor() != 0)
        {
            throw new UserException("cannot signal process " + pid + ": " + output.strip());
        }
    }

    private JsonNode await(final ReloadOutcome outcome, final long before, final long pid)
        throws IOException, InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            if (!outcome.file().toFile().exists())
            {
                throw new UserException("endpoint \"" + name + "\" has ended");
            }
            final JsonNode answer = outcome.read();
            if (answer.get(NUMBER).asLong() != before)
            {
                return answer;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new UserException("process " + pid + " has not answered for " +
            TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s; see the log of the endpoint");
    }
}
