package org.fibnuma.pfc.dcqcn;

/**
 * The sender of one flow: its rate. In the paper's letters (section 3.1, equations 1 to 4 and figure 7):
 * <pre>
 *  on a notification        Rt = Rc,  Rc = Rc (1 - alpha / 2),  alpha = (1 - g) alpha + g
 *  none for K               alpha = (1 - g) alpha
 *  each T, each B bytes     fast recovery, max(stages) &lt; F    Rc = (Rc + Rt) / 2
 *                           hyper increase, min(stages) &gt; F   Rt += Rhai, then as above
 *                           additive increase, otherwise         Rt += Rai, then as above
 * </pre>
 * Before the first notification a flow sends at line rate and no timer runs. The caller reports what it sent and calls
 * {@link #onTime} at {@link #deadlineNs} or later; a late call makes up for all periods that have passed.
 */
public final class ReactionPoint
{
    private final DcqcnParameters parameters;
    private final double lineRate;
    private boolean isLimited;
    private double currentRate;
    private double targetRate;
    private double alpha = 1;
    private int timerStages;
    private int byteStages;
    private long bytesSent;
    private long alphaDueNs;
    private long rateDueNs;

    /** Creates a flow at a line rate in bits per second, at least the lowest rate of the parameters. */
    public ReactionPoint(final DcqcnParameters parameters, final double lineRate)
    {
        if (!(lineRate >= parameters.minRate()))
        {
            throw new IllegalArgumentException("line rate " + lineRate + " is below the lowest rate");
        }
        this.parameters = parameters;
        this.lineRate = lineRate;
        currentRate = lineRate;
        targetRate = lineRate;
    }

    /** Cuts the rate and restarts the timers. */
    public void onNotification(final long nowNs)
    {
        targetRate = currentRate;
        currentRate = Math.max(parameters.minRate(), currentRate * (1 - alpha / 2));
        alpha = (1 - parameters.g()) * alpha + parameters.g();
        isLimited = true;
        timerStages = 0;
        byteStages = 0;
        bytesSent = 0;
        alphaDueNs = nowNs + parameters.alphaTimerNs();
        rateDueNs = nowNs + parameters.rateTimerNs();
    }

    /** Records sent bytes, 0 or more, which may raise the rate. */
    public void onSent(final long bytes)
    {
        if (isLimited)
        {
            bytesSent += bytes;
            while (bytesSent >= parameters.byteCounter())
            {
                bytesSent -= parameters.byteCounter();
                byteStages++;
                raiseRate();
            }
        }
    }

    /** Runs the timers. */
    public void onTime(final long nowNs)
    {
        while (isLimited && alphaDueNs - nowNs <= 0)
        {
            alpha *= 1 - parameters.g();
            alphaDueNs += parameters.alphaTimerNs();
        }
        while (isLimited && rateDueNs - nowNs <= 0)
        {
            rateDueNs += parameters.rateTimerNs();
            timerStages++;
            raiseRate();
        }
    }

    /** {@return the monotonic time of the next timer; {@link Long#MAX_VALUE} before the first notification} */
    public long deadlineNs()
    {
        return !isLimited ? Long.MAX_VALUE : alphaDueNs - rateDueNs < 0 ? alphaDueNs : rateDueNs;
    }

    /** {@return Rc, the rate to send at, in bits per second} */
    public double rate()
    {
        return currentRate;
    }

    /** Returns Rt, the target rate of recovery, in bits per second. */
    double targetRate()
    {
        return targetRate;
    }

    /** Returns alpha, the estimate of congestion, 0 to 1. */
    double alpha()
    {
        return alpha;
    }

    private void raiseRate()
    {
        final int stages = parameters.fastRecoveryStages();
        if (Math.min(timerStages, byteStages) > stages)
        {
            targetRate += parameters.hyperIncrease();
        }
        else if (Math.max(timerStages, byteStages) >= stages)
        {
            targetRate += parameters.additiveIncrease();
        }
        targetRate = Math.min(targetRate, lineRate);
        currentRate = (currentRate + targetRate) / 2;
    }
}
