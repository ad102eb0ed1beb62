package org.fibnuma.pfc.watchdog;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What becomes of the frames of a priority during a storm. */
public enum StormAction
{
    /** They are dropped, those that wait and those that come. */
    DROP("drop"),
    /** They are sent: the peer's pauses are not obeyed. */
    FORWARD("forward"),
    /** They go on waiting; the storm is only told. */
    ALERT("alert");

    private final String key;

    StormAction(final String key)
    {
        this.key = key;
    }

    /**
     * The action of a name.
     *
     * @param key drop, forward or alert.
     * @return the action.
     * @throws IllegalArgumentException naming all of them for any other text.
     */
    public static StormAction of(final String key)
    {
        return Arrays.stream(values()).filter(action -> action.key.equals(key)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("\"" + key + "\" is no action; one of " +
                Arrays.stream(values()).map(StormAction::key).collect(Collectors.joining(", "))));
    }

    /**
     * Its name in configurations.
     *
     * @return lower case.
     */
    public String key()
    {
        return key;
    }
}
