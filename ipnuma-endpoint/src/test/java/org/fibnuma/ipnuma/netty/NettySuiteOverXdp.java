package org.fibnuma.ipnuma.netty;

import java.nio.file.Path;

/** {@link NettySuiteTest} between two network namespaces; {@link NettySuitesSystemTest} runs it. */
class NettySuiteOverXdp extends NettySuiteTest
{
    @Override
    SuiteLab newLab(final Path directory) throws Exception
    {
        return SuiteLab.overXdp(directory);
    }
}
