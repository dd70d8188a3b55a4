// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import org.jspecify.annotations.Nullable;

/**
 * One sentence about the connection manager.
 *
 * @param key {@code C27} for a conformance case, {@code S44} for a surprise, {@code F12} for a fact that is in neither list
 * @param title what it is about
 * @param pace where the script can be played
 * @param prediction what the script should say; for a sentence without a script, what the sentence says
 * @param script null when there is nothing to try, or another behaviour tries it
 * @param without the verdict where there is no script: {@link Verdict#C_LIBRARY} or {@link Verdict#NOT_ON_SOFT_ROCE}
 * @param remark why it was not tried, or how rdma4j behaves
 * @param like key of the behaviour whose script tries this one as well
 */
record Behaviour(
        String key,
        String title,
        Pace pace,
        Prediction prediction,
        @Nullable Script script,
        @Nullable Verdict without,
        String remark,
        @Nullable String like) {
    static Behaviour quick(String key, String title, String prediction, Script script) {
        return quick(key, title, Prediction.of(prediction), script);
    }

    static Behaviour quick(String key, String title, Prediction prediction, Script script) {
        return new Behaviour(key, title, Pace.QUICK, prediction, script, null, "", null);
    }

    static Behaviour slow(String key, String title, String prediction, Script script) {
        return new Behaviour(key, title, Pace.SLOW, Prediction.of(prediction), script, null, "", null);
    }

    static Behaviour ownGuest(String key, String title, String prediction, Script script) {
        return ownGuest(key, title, Prediction.of(prediction), script);
    }

    static Behaviour ownGuest(String key, String title, Prediction prediction, Script script) {
        return new Behaviour(key, title, Pace.OWN_GUEST, prediction, script, null, "", null);
    }

    /** What a C library does; {@code here} says how rdma4j behaves instead. */
    static Behaviour library(String key, String title, String said, String here) {
        return new Behaviour(key, title, Pace.QUICK, Prediction.of(said), null, Verdict.C_LIBRARY, here, null);
    }

    /** What needs other hardware. */
    static Behaviour elsewhere(String key, String title, String said, String reason) {
        return new Behaviour(key, title, Pace.QUICK, Prediction.of(said), null, Verdict.NOT_ON_SOFT_ROCE, reason, null);
    }

    /** The same as another behaviour. */
    static Behaviour like(String key, String title, String other) {
        return new Behaviour(key, title, Pace.QUICK, Prediction.of("as " + other), null, null, "", other);
    }

    /** This one with a remark on rdma4j. */
    Behaviour here(String how) {
        return new Behaviour(key, title, pace, prediction, script, without, how, like);
    }

    /** {@code C}, {@code S} or {@code F}. */
    char list() {
        return key.charAt(0);
    }

    int number() {
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
