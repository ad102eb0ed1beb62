package org.fibnuma.fibnic.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Looks into a running router. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = "Looks into a running router.",
    subcommands = {
        ShowPorts.class, ShowRoutes.class, ShowNeighbors.class, ShowDrops.class, ShowStages.class,
        ShowPfc.class, ShowHost.class
    })
final class ShowCommand implements Runnable
{
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(
            spec.commandLine(), "say what to show: ports, routes, neighbors, drops, stages, pfc or host");
    }
}
