// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Names the options of a creation that the device cannot have. The device is asked only after the kernel has refused the
 * command with EINVAL, so that a creation that succeeds costs nothing more.
 */
final class DeviceLimits {
    private DeviceLimits() {}

    /**
     * A number that the program has asked for.
     *
     * @param name the name of the option
     * @param value the number; negative numbers reach the kernel as large ones
     * @param least the least number that the device accepts
     * @param most the limit of the device
     */
    record Option(String name, int value, int least, ToIntFunction<DeviceAttr> most) {
        private boolean isRefused(DeviceAttr device) {
            return value < least || value > most.applyAsInt(device);
        }

        private String text(DeviceAttr device) {
            int limit = most.applyAsInt(device);
            return name + " is " + value + ": the device has " + limit + "; accepted " + least + " to " + limit;
        }
    }

    /** As {@link #named(ControlPath, List, String, Creating.Command)}, for a queue pair. */
    static <G> Creating.Command<G> named(ControlPath control, QpCap asked, Creating.Command<G> command) {
        List<Option> options = List.of(
                new Option("maxSendWr", asked.maxSendWr(), 0, DeviceAttr::maxQpWr),
                new Option("maxReceiveWr", asked.maxReceiveWr(), 0, DeviceAttr::maxQpWr),
                new Option("maxSendSge", asked.maxSendSge(), 0, DeviceAttr::maxSge),
                new Option("maxReceiveSge", asked.maxReceiveSge(), 0, DeviceAttr::maxSge));
        return named(control, options, unlimited(asked), command);
    }

    /** As {@link #named(ControlPath, List, String, Creating.Command)}, for a completion queue of {@code entries}. */
    static <G> Creating.Command<G> named(ControlPath control, int entries, Creating.Command<G> command) {
        Option size = new Option("the number of entries of a completion queue", entries, 1, DeviceAttr::maxCqe);
        return named(control, List.of(size), "", command);
    }

    /** The numbers of a shared receive queue. */
    static List<Option> ofSharedReceives(int maxReceiveWr, int maxReceiveSge) {
        return List.of(
                new Option("maxReceiveWr of a shared receive queue", maxReceiveWr, 1, DeviceAttr::maxSrqWr),
                new Option("maxReceiveSge of a shared receive queue", maxReceiveSge, 0, DeviceAttr::maxSrqSge));
    }

    /** Returns {@code command}, whose refusal names those of {@code options} that are out of range, or else {@code unlimited}. */
    static <G> Creating.Command<G> named(
            ControlPath control, List<Option> options, String unlimited, Creating.Command<G> command) {
        return () -> {
            try {
                return command.send();
            } catch (ErrnoException e) {
                if (!e.errno().equals(Errno.EINVAL)) {
                    throw e;
                }
                String advice = refused(control, options);
                throw advice.isEmpty() && unlimited.isEmpty()
                        ? e
                        : new ErrnoException(e.operation(), e.errno(), advice.isEmpty() ? unlimited : advice);
            }
        };
    }

    /** Returns what a queue pair with {@code asked} may have too much of although the device reports no limit. */
    private static String unlimited(QpCap asked) {
        return asked.maxInline() == 0
                ? ""
                : "maxInline is " + asked.maxInline()
                        + ": the device may accept less, and reports no limit of maxInline";
    }

    private static String refused(ControlPath control, List<Option> options) {
        try {
            DeviceAttr device = control.queryDevice();
            return options.stream()
                    .filter(option -> option.isRefused(device))
                    .map(option -> option.text(device))
                    .collect(Collectors.joining("; "));
        } catch (RdmaException e) {
            return "";
        }
    }
}
