package org.fibnuma.bench.lab;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.Arrays;
import java.util.List;

/** Options of a measurement between two hosts, with routers between them or without. A picocli mixin. */
public final class RouterOptions
{
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--routers", split = ",", defaultValue = "0", paramLabel = "N",
        description = "numbers of routers between client and server, 0 to " + RouterChain.MOST +
            "; those above 0 need root (${DEFAULT-VALUE})")
    private List<Integer> counts;

    @Option(names = "--router", split = ",", defaultValue = "fibnuma,kernel", paramLabel = "WHAT",
        description = "what the routers of a chain are, each in turn: fibnuma, kernel (${DEFAULT-VALUE})")
    private List<String> kinds;

    /** Creates the mixin; called by picocli. */
    public RouterOptions()
    {
    }

    /**
     * Returns what is measured, in the order of {@code --routers}. Chains of the kernel come before others of their
     * length, which are compared with them.
     *
     * @throws ParameterException if the value of an option is wrong.
     */
    public List<Routers> all()
    {
        if (!counts.stream().allMatch(count -> count >= 0 && count <= RouterChain.MOST))
        {
            throw new ParameterException(spec.commandLine(), "--routers must be 0 to " + RouterChain.MOST);
        }
        final List<String> known = Arrays.stream(Routers.Kind.values()).map(Routers.Kind::label).toList();
        if (!known.containsAll(kinds))
        {
            throw new ParameterException(spec.commandLine(), "--router must be of " + String.join(", ", known));
        }
        return counts.stream().flatMap(count -> Arrays.stream(Routers.Kind.values())
            .filter(kind -> kinds.contains(kind.label())).map(kind -> Routers.of(count, kind))).distinct().toList();
    }
}
