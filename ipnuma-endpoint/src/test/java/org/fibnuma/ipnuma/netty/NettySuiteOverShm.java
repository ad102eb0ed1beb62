package org.fibnuma.ipnuma.netty;

import java.nio.file.Path;

/** {@link NettySuiteTest} between endpoints that share memory; {@link NettySuitesSystemTest} runs it. */
class NettySuiteOverShm extends NettySuiteTest
{
    @Override
    SuiteLab newLab(final Path directory) throws Exception
    {
        return SuiteLab.overShm(directory);
    }
}
