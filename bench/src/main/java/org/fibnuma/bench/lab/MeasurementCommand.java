package org.fibnuma.bench.lab;

import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** A command that measures and prints the result as text or as JSON. */
public abstract class MeasurementCommand implements Callable<Integer>
{
    /** Exit status after a measurement. */
    protected static final int DONE = 0;
    /** Exit status where a result is wrong. */
    protected static final int FAILED = 1;

    @Spec
    private CommandSpec spec;
    @Mixin
    private MeasurementOutput output;

    /** Creates the command for picocli. */
    protected MeasurementCommand()
    {
    }

    /** Returns the output of the result and of the lines of progress. */
    protected final MeasurementOutput output()
    {
        return output;
    }

    /**
     * Checks an option.
     *
     * @param met     whether its value is right.
     * @param message name of the option and its permitted values.
     * @throws ParameterException with the message if the value is wrong.
     */
    protected final void require(final boolean met, final String message)
    {
        if (!met)
        {
            throw wrong(message);
        }
    }

    /**
     * Returns the exception for a wrong value of an option.
     *
     * @param message name of the option and its permitted values.
     */
    protected final ParameterException wrong(final String message)
    {
        return new ParameterException(spec.commandLine(), message);
    }

    /**
     * Checks that the command can create network namespaces.
     *
     * @throws UserException with what to do if it cannot.
     */
    protected final void requireNamespaces()
    {
        final String obstacle = namespaceObstacle();
        if (obstacle != null)
        {
            throw new UserException(obstacle);
        }
    }

    /** Returns why the command cannot create network namespaces and what to do, or null if it can. */
    protected final String namespaceObstacle()
    {
        return Host.obstacle("./" + output.invocation());
    }

    /**
     * Checks that a program is installed.
     *
     * @param program name of the program and of its Debian package.
     * @throws UserException with how to install it if it is missing.
     */
    protected final void requireProgram(final String program)
    {
        if (!ChildProcess.isInstalled(program))
        {
            throw new UserException(program + " is missing (apt-get install " + program + ")");
        }
    }
}
