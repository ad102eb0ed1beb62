package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints the stages. */
@Command(
    name = "stages",
    mixinStandardHelpOptions = true,
    description = {
        "The stages of the pipeline and what each one dropped.",
        "For each worker the longest pause and its reason, the longest one by the JVM, and how many of these were " +
        "above 2 ms; the longest cycle of the control thread and the longest safepoint."
    })
final class ShowStages extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("stages")));
        return FibnumaCommand.OK;
    }
}
