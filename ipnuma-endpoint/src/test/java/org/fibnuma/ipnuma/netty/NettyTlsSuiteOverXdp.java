package org.fibnuma.ipnuma.netty;

import java.nio.file.Path;

/** {@link NettyTlsSuiteTest} between two network namespaces; {@link NettySuitesSystemTest} runs it. */
class NettyTlsSuiteOverXdp extends NettyTlsSuiteTest
{
    @Override
    SuiteLab newLab(final Path directory) throws Exception
    {
        return SuiteLab.overXdp(directory);
    }
}
