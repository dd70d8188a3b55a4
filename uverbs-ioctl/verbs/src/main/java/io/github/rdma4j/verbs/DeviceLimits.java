// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Names the options of a creation that exceed the device's limits. The device is queried only after the kernel has
 * refused the command, so that a successful creation costs no query.
 */
final class DeviceLimits {
    private DeviceLimits() {}

    /**
     * A requested number.
     *
     * @param name the name of the option
     * @param value the number; the kernel takes a negative number as a large unsigned number
     * @param least the least number that the device accepts
     * @param most the limit of the device
     */
    record Option(String name, long value, long least, ToLongFunction<DeviceAttr> most) {
        private boolean isRefused(DeviceAttr device) {
            return value < least || value > most.applyAsLong(device);
        }

        private String text(DeviceAttr device) {
            long limit = most.applyAsLong(device);
            return name + " is " + value + ": the device has " + limit + "; accepted " + least + " to " + limit;
        }
    }

    /** Like {@link #named(ControlPath, List, String, Creating.Command)}, for a queue pair. */
    static <G> Creating.Command<G> named(ControlPath control, QpCap asked, Creating.Command<G> command) {
        List<Option> options = List.of(
                new Option("maxSendWr", asked.maxSendWr(), 0, DeviceAttr::maxQpWr),
                new Option("maxReceiveWr", asked.maxReceiveWr(), 0, DeviceAttr::maxQpWr),
                new Option("maxSendSge", asked.maxSendSge(), 0, DeviceAttr::maxSge),
                new Option("maxReceiveSge", asked.maxReceiveSge(), 0, DeviceAttr::maxSge));
        return named(control, options, unlimited(asked), command);
    }

    /** Like {@link #named(ControlPath, List, String, Creating.Command)}, for a completion queue of {@code entries}. */
    static <G> Creating.Command<G> named(ControlPath control, int entries, Creating.Command<G> command) {
        return named(control, List.of(ofCompletions(entries)), "", command);
    }

    /**
     * Like {@link #named(ControlPath, int, Creating.Command)}, for a new queue that uses one of {@code vectors}
     * vectors.
     */
    static <G> Creating.Command<G> named(
            ControlPath control, int entries, int vector, int vectors, Creating.Command<G> command) {
        String advice = vector >= 0 && vector < vectors
                ? ""
                : "the completion vector is " + vector + ": the device has " + vectors + "; accepted 0 to "
                        + (vectors - 1);
        return named(control, List.of(ofCompletions(entries)), advice, command);
    }

    private static Option ofCompletions(int entries) {
        return new Option("the number of entries of a completion queue", entries, 1, DeviceAttr::maxCqe);
    }

    /** Like {@link #named(ControlPath, List, String, Creating.Command)}, for a memory region of {@code bytes}. */
    static <G> Creating.Command<G> named(ControlPath control, long bytes, Creating.Command<G> command) {
        Option length = new Option("the length of a memory region", bytes, 1, DeviceLimits::bytesOfARegion);
        return named(control, List.of(length), "", command);
    }

    /** The unsigned limit; 0 if the driver reports none. */
    private static long bytesOfARegion(DeviceAttr device) {
        return device.maxMrSize() > 0 ? device.maxMrSize() : Long.MAX_VALUE;
    }

    /** The requested numbers of a shared receive queue. */
    static List<Option> ofSharedReceives(int maxReceiveWr, int maxReceiveSge) {
        return List.of(
                new Option("maxReceiveWr of a shared receive queue", maxReceiveWr, 1, DeviceAttr::maxSrqWr),
                new Option("maxReceiveSge of a shared receive queue", maxReceiveSge, 0, DeviceAttr::maxSrqSge));
    }

    /**
     * Wraps {@code command}, so that its refusal names the {@code options} that are out of range, or else has the
     * advice {@code otherwise}.
     */
    static <G> Creating.Command<G> named(
            ControlPath control, List<Option> options, String otherwise, Creating.Command<G> command) {
        return advised(
                Set.of(Errno.EINVAL),
                () -> {
                    String advice = refused(control, options);
                    return advice.isEmpty() ? otherwise : advice;
                },
                command);
    }

    /** Sends a command, whose failure with {@code errno} has the advice. */
    static <T> T advised(Errno errno, String advice, Undo.Making<T> command) throws RdmaException {
        try {
            return command.make();
        } catch (ErrnoException e) {
            throw e.errno().equals(errno) ? new ErrnoException(e.operation(), errno, advice) : e;
        }
    }

    /**
     * Wraps {@code command}, so that a failure with one of {@code errnos} has the advice, which is empty for none.
     */
    static <G> Creating.Command<G> advised(Set<Errno> errnos, Undo.Making<String> advice, Creating.Command<G> command) {
        return driver -> {
            try {
                return command.send(driver);
            } catch (ErrnoException e) {
                String found = errnos.contains(e.errno()) ? textOf(advice) : "";
                throw found.isEmpty() ? e : new ErrnoException(e.operation(), e.errno(), found);
            }
        };
    }

    private static String textOf(Undo.Making<String> advice) {
        try {
            return advice.make();
        } catch (RdmaException unknown) {
            return "";
        }
    }

    /** Describes requested capacities that may be too large although the device reports no limit for them. */
    private static String unlimited(QpCap asked) {
        return asked.maxInline() == 0
                ? ""
                : "maxInline is " + asked.maxInline()
                        + ": the device may accept less, and reports no limit of maxInline";
    }

    /** Describes the {@code options} that are out of range. */
    static String refused(ControlPath control, List<Option> options) throws RdmaException {
        DeviceAttr device = control.queryDevice();
        return options.stream()
                .filter(option -> option.isRefused(device))
                .map(option -> option.text(device))
                .collect(Collectors.joining("; "));
    }
}
