package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints the lossless priorities. */
@Command(
    name = "pfc",
    mixinStandardHelpOptions = true,
    description = "The lossless priorities of the ports: pauses, headroom, storms and marks.")
final class ShowPfc extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("pfc")));
        return FibnumaCommand.OK;
    }
}
