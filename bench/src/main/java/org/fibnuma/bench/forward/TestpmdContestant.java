package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Contestant;
import org.fibnuma.bench.lab.Testpmd;
import org.fibnuma.core.wire.MacAddress;

import java.util.List;

/**
 * DPDK's testpmd: in mac mode it writes both addresses of a frame, in io mode it does not read the frame.
 *
 * @param mode {@code mac} or {@code io}.
 */
record TestpmdContestant(String mode) implements Contestant<ForwardRig.Replay>
{
    private static final int SPARE_FRAMES = 16384;

    @Override
    public String name()
    {
        return "testpmd " + mode;
    }

    @Override
    public String missing()
    {
        return Testpmd.missing();
    }

    @Override
    public Running start(final ForwardRig.Replay replay)
    {
        return Testpmd.startWithTelemetry(
            name(), replay.rig().host(), Testpmd.prefix("bench-" + mode), replay.rig().core(),
            List.of(replay.source(), ForwardRig.SINK),
            "--forward-mode=" + mode, "--burst=64", "--total-num-mbufs=" + (replay.rig().frames() + SPARE_FRAMES),
            "--eth-peer=1," + MacAddress.format(ForwardRig.NEXT_HOP_MAC));
    }
}
