package org.fibnuma.bench.forward;

import org.fibnuma.bench.lab.Contestant;

/**
 * DPDK's sample router.
 *
 * @param program built for the tables and captures of the rig.
 */
record L3fwdContestant(L3fwdProgram program) implements Contestant<ForwardRig.Replay>
{
    @Override
    public String name()
    {
        return L3fwdProgram.NAME;
    }

    @Override
    public Running start(final ForwardRig.Replay replay)
    {
        return program.start(replay.rig().host(), replay.rig().core(), replay.source(), ForwardRig.SINK);
    }
}
