// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One sentence about the connection manager. The experiments are code; predictions, remarks and the behaviours without
 * an experiment are resources: {@code semantics/predictions.tsv} and {@code semantics/untried.tsv}.
 *
 * @param key {@code C27} for a conformance case, {@code S44} for a surprise, {@code F12} for a fact that is in neither
 *     list, {@code I3} for one of InfiniBand only
 * @param title the subject
 * @param schedule where the experiment can be run
 * @param predicted the expected result of the experiment, which may differ between releases: {@code old<br>since 6.4:
 *     new}; for a behaviour without an experiment, what is said of it
 * @param experiment null if there is nothing to try, or if another behaviour tries it
 * @param without the verdict if there is no experiment: {@link Verdict#C_LIBRARY} or {@link Verdict#NOT_ON_SOFT_ROCE}
 * @param remark why it was not tried, or how rdma4j behaves; may be empty
 * @param like key of the behaviour whose experiment tries this one as well
 */
public record Behaviour(
        String key,
        String title,
        Schedule schedule,
        String predicted,
        @Nullable Experiment experiment,
        @Nullable Verdict without,
        String remark,
        @Nullable String like) {
    /** The lines of {@code predictions.tsv} by their keys. */
    private static final Map<String, List<String>> PREDICTIONS =
            Table.resource("predictions.tsv").collect(Collectors.toMap(line -> line.get(0), line -> line));

    /** How long an experiment takes, and whether it disturbs other experiments. */
    public enum Schedule {
        /** Takes some seconds at most and disturbs no other experiment. */
        QUICK,
        /** Waits for a timer of the kernel, up to 100 s. All slow experiments run side by side. */
        SLOW,
        /** Needs InfiniBand and may stop its subnet manager for a while. */
        INFINIBAND,
        /** Removes the device, so it must run in a separate guest. */
        OWN_GUEST
    }

    /** The result of comparing prediction and observation. */
    public enum Verdict {
        CONFIRMED,
        CONTRADICTED,
        /** Cannot be tried with soft-RoCE. */
        NOT_ON_SOFT_ROCE,
        /** Concerns the C library or a port, not the kernel. */
        C_LIBRARY,
        /** Has an experiment that was not run on this kernel. */
        NOT_RECORDED
    }

    /** The steps of an experiment. Each step reports its result to the trial. */
    @FunctionalInterface
    public interface Experiment {
        void run(Trial trial) throws Exception;
    }

    static Behaviour quick(String key, String title, Experiment experiment) {
        return tried(key, title, Schedule.QUICK, experiment);
    }

    static Behaviour slow(String key, String title, Experiment experiment) {
        return tried(key, title, Schedule.SLOW, experiment);
    }

    static Behaviour infiniBand(String key, String title, Experiment experiment) {
        return tried(key, title, Schedule.INFINIBAND, experiment);
    }

    static Behaviour ownGuest(String key, String title, Experiment experiment) {
        return tried(key, title, Schedule.OWN_GUEST, experiment);
    }

    private static Behaviour tried(String key, String title, Schedule schedule, Experiment experiment) {
        List<String> line = Objects.requireNonNull(PREDICTIONS.get(key), () -> "no prediction for " + key);
        String remark = line.size() > 2 ? line.get(2) : "";
        return new Behaviour(key, title, schedule, line.get(1), experiment, null, remark, null);
    }

    /** A behaviour without an experiment, from the columns of its line in {@code untried.tsv}. */
    static Behaviour untried(List<String> columns) {
        String key = columns.get(0);
        String title = columns.get(1);
        String reason = columns.get(2);
        if (Character.isDigit(reason.charAt(1))) {
            return new Behaviour(key, title, Schedule.QUICK, "as " + reason, null, null, columns.get(3), reason);
        }
        Verdict verdict = Verdict.valueOf(reason);
        return new Behaviour(key, title, Schedule.QUICK, columns.get(3), null, verdict, columns.get(4), null);
    }

    /** The prediction for a kernel series. */
    String predictedOn(String series) {
        String prediction = "";
        for (String part : ("0: " + predicted).split("<br>since ", -1)) {
            int colon = part.indexOf(": ");
            if (KernelSeries.compare(part.substring(0, colon), series) <= 0) {
                prediction = part.substring(colon + 2);
            }
        }
        return prediction;
    }

    /** Whether the experiment is one for guests that have the link layer of this series. */
    public boolean appliesTo(String series) {
        return schedule != (KernelSeries.isInfiniBand(series) ? Schedule.OWN_GUEST : Schedule.INFINIBAND);
    }

    /** Whether there is an experiment to run. */
    public boolean isMeasurable() {
        return experiment != null;
    }

    /** {@code C}, {@code S}, {@code F} or {@code I}. */
    public char list() {
        return key.charAt(0);
    }

    public int number() {
        return Integer.parseInt(key.substring(1));
    }

    /** The verdict on an observation on a kernel series; {@code observed} is null if nothing was recorded. */
    public Verdict verdict(String series, @Nullable String observed) {
        if (without != null) {
            return without;
        }
        if (observed == null) {
            return Verdict.NOT_RECORDED;
        }
        return observed.equals(predictedOn(series)) ? Verdict.CONFIRMED : Verdict.CONTRADICTED;
    }

    @Override
    public String toString() {
        return key + " " + title;
    }
}
