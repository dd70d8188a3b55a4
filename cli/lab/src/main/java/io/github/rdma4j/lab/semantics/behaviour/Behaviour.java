// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import org.jspecify.annotations.Nullable;

/**
 * One sentence about the connection manager.
 *
 * @param key {@code C27} for a conformance case, {@code S44} for a surprise, {@code F12} for a fact that is in neither list
 * @param title what it is about
 * @param schedule where the experiment can be run
 * @param prediction what the experiment should say; for a sentence without an experiment, what the sentence says
 * @param experiment null when there is nothing to try, or another behaviour tries it
 * @param without the verdict where there is no experiment: {@link Verdict#C_LIBRARY} or {@link Verdict#NOT_ON_SOFT_ROCE}
 * @param remark why it was not tried, or how rdma4j behaves
 * @param like key of the behaviour whose experiment tries this one as well
 */
public record Behaviour(
        String key,
        String title,
        Schedule schedule,
        Prediction prediction,
        @Nullable Experiment experiment,
        @Nullable Verdict without,
        String remark,
        @Nullable String like) {
    static Behaviour quick(String key, String title, String prediction, Experiment experiment) {
        return quick(key, title, Prediction.of(prediction), experiment);
    }

    static Behaviour quick(String key, String title, Prediction prediction, Experiment experiment) {
        return new Behaviour(key, title, Schedule.QUICK, prediction, experiment, null, "", null);
    }

    static Behaviour slow(String key, String title, String prediction, Experiment experiment) {
        return new Behaviour(key, title, Schedule.SLOW, Prediction.of(prediction), experiment, null, "", null);
    }

    static Behaviour ownGuest(String key, String title, String prediction, Experiment experiment) {
        return ownGuest(key, title, Prediction.of(prediction), experiment);
    }

    static Behaviour ownGuest(String key, String title, Prediction prediction, Experiment experiment) {
        return new Behaviour(key, title, Schedule.OWN_GUEST, prediction, experiment, null, "", null);
    }

    /** What a C library does; {@code here} says how rdma4j behaves instead. */
    static Behaviour library(String key, String title, String said, String here) {
        return new Behaviour(key, title, Schedule.QUICK, Prediction.of(said), null, Verdict.C_LIBRARY, here, null);
    }

    /** What needs other hardware. */
    static Behaviour elsewhere(String key, String title, String said, String reason) {
        return new Behaviour(
                key, title, Schedule.QUICK, Prediction.of(said), null, Verdict.NOT_ON_SOFT_ROCE, reason, null);
    }

    /** The same as another behaviour. */
    static Behaviour like(String key, String title, String other) {
        return new Behaviour(key, title, Schedule.QUICK, Prediction.of("as " + other), null, null, "", other);
    }

    /** This one with a remark on rdma4j. */
    Behaviour here(String how) {
        return new Behaviour(key, title, schedule, prediction, experiment, without, how, like);
    }

    /** Whether there is an experiment to run. */
    public boolean isMeasurable() {
        return experiment != null;
    }

    /** {@code C}, {@code S} or {@code F}. */
    public char list() {
        return key.charAt(0);
    }

    public int number() {
        return Integer.parseInt(key.substring(1));
    }

    /** The verdict on what was observed on a kernel series; null for nothing recorded. */
    Verdict verdict(String series, @Nullable String observed) {
        if (without != null) {
            return without;
        }
        if (observed == null) {
            return Verdict.NOT_RECORDED;
        }
        return observed.equals(prediction.on(series)) ? Verdict.CONFIRMED : Verdict.CONTRADICTED;
    }

    @Override
    public String toString() {
        return key + " " + title;
    }
}
