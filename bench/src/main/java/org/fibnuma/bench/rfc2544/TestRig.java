package org.fibnuma.bench.rfc2544;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.IpAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What connects the tester to the devices under test, one at a time: links on the left and on the right. */
interface TestRig extends AutoCloseable
{
    /** Returns the name in the results. */
    String name();

    /** Returns the devices under test that forward with this rig's routes. */
    List<Device> devices();

    /**
     * Opens the tester's ports while a device runs.
     *
     * @return the ports; the caller closes them.
     * @throws org.fibnuma.core.UserException if a link does not come up.
     */
    Ends connect();

    /**
     * Returns the writer of frames that are sent to the device.
     *
     * @param side   on which they are sent.
     * @param link   of that side, from 0.
     * @param length of each frame in bytes, without FCS.
     */
    HostFrames frames(Side side, int link, int length);

    /**
     * Returns destinations behind a side.
     *
     * @param side   to which the device forwards the frames.
     * @param isIpv6 family of the destinations.
     */
    IpAddress[] destinations(Side side, boolean isIpv6);

    @Override
    void close();

    /** Side of the device under test. */
    enum Side
    {
        LEFT, RIGHT;

        Side other()
        {
            return this == LEFT ? RIGHT : LEFT;
        }
    }

    /**
     * A device under test.
     *
     * @param name    in the results.
     * @param missing one line with why it cannot run, or null.
     * @param starter starts it.
     */
    record Device(String name, String missing, Supplier<Contestant.Running> starter)
    {
        static <R> Device of(final Contestant<R> contestant, final R rig)
        {
            return new Device(contestant.name(), contestant.missing(), () -> contestant.start(rig));
        }
    }

    /**
     * The tester's ports.
     *
     * @param left  ports at the left links.
     * @param right ports at the right links.
     * @param waits see {@link Tester}.
     */
    record Ends(List<HostPort> left, List<HostPort> right, boolean waits) implements AutoCloseable
    {
        /** Opens all ports, or none. */
        static Ends open(
            final List<Supplier<HostPort>> left, final List<Supplier<HostPort>> right, final boolean waits)
        {
            return AllOrNothing.open(new Ends(new ArrayList<>(), new ArrayList<>(), waits), ends ->
            {
                left.forEach(port -> ends.left.add(port.get()));
                right.forEach(port -> ends.right.add(port.get()));
            });
        }

        List<HostPort> ports(final Side side)
        {
            return side == Side.LEFT ? left : right;
        }

        List<HostPort> all()
        {
            return Stream.concat(left.stream(), right.stream()).toList();
        }

        @Override
        public void close()
        {
            all().forEach(HostPort::close);
        }
    }
}
