package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints the neighbours. */
@Command(
    name = "neighbors",
    mixinStandardHelpOptions = true,
    description = "The neighbours on the ports.")
final class ShowNeighbors extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("neighbors")));
        return FibnumaCommand.OK;
    }
}
