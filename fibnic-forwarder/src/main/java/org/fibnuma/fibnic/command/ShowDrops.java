package org.fibnuma.fibnic.command;

import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;

import java.io.IOException;

/** Prints the fates of frames; "balanced" says whether every received frame has one. */
@Command(
    name = "drops",
    mixinStandardHelpOptions = true,
    description = "What became of all frames, and why some were dropped.")
final class ShowDrops extends RouterQuery
{
    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("drops")));
        return FibnumaCommand.OK;
    }
}
