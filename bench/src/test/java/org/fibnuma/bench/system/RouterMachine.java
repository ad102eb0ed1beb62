package org.fibnuma.bench.system;

import org.fibnuma.core.service.netns.Host;

import java.util.List;

/** The machine of the router under test, with its kernel. Used by one thread. */
public interface RouterMachine extends AutoCloseable
{
    /**
     * Runs a program to its end.
     *
     * @return its standard output.
     * @throws org.fibnuma.core.UserException if it fails.
     */
    String run(String... command);

    /** Returns the MAC address of an interface. */
    default String macAddress(final String device)
    {
        return run("cat", "/sys/class/net/" + device + "/address").trim();
    }

    /** Sets a kernel variable, as {@link Host#sysctl} does. */
    default void sysctl(final String name, final String value)
    {
        run("sh", "-c", "echo " + value + " >/proc/sys/net/" + name.replace('.', '/'));
    }

    /** Connects a host: gives it the far end of the cable at an interface of this machine, and sets that up. */
    void give(String device, Host host, String hostDevice);

    /** Switches the carrier of an interface on or off. */
    void carrier(String device, boolean isOn);

    /** Returns the network namespace, for tests that start programs there; ends the test where there is none. */
    Host host();

    /**
     * Starts the router and waits until every port forwards.
     *
     * @param name   of the router: commands of this machine find it by that.
     * @param config as TOML.
     * @param flags  additional flags of the JVM.
     */
    void startRouter(String name, String config, List<String> flags);

    /** Ends the router by SIGTERM. */
    void stopRouter();

    /** Returns whether a router was started and not stopped. */
    boolean hasRouter();

    /** Returns what the router has logged. */
    List<String> log();

    @Override
    void close();
}
