// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

import static io.github.rdma4j.lab.semantics.behaviour.Behaviour.library;

import java.util.List;

/** The synchronous mode, which is a library's alone: surprises 21 to 33. */
final class SyncSurprises {
    private static final String MODE = "BlockingCmId: ";

    private SyncSurprises() {}

    static List<Behaviour> all() {
        return List.of(
                library(
                        "S21",
                        "any event completes an operation",
                        "a late TIMEWAIT_EXIT is taken for the result of the next call",
                        MODE + "an operation takes the events of its own kind only."),
                library(
                        "S22",
                        "a disconnect by the peer goes unnoticed",
                        "the next disconnect consumes it, one more hangs",
                        MODE + "a disconnect after it waits for nothing; the kernel's side is C54 and C57."),
                library(
                        "S23",
                        "disconnect of an id that is not connected",
                        "EINVAL, or blocks for ever",
                        MODE + "refused by its state, or over at once; the kernel's side is C57."),
                library(
                        "S24",
                        "get_request acknowledges the listener's last event",
                        "the child keeps its own",
                        MODE + "nothing waits for acknowledgements."),
                library(
                        "S25",
                        "destroy of a listener whose child holds its event",
                        "blocks",
                        MODE + "nothing waits for acknowledgements."),
                library(
                        "S26",
                        "get_request whose queue pair cannot be made",
                        "the child leaks",
                        MODE + "the child is closed."),
                library(
                        "S27",
                        "synchronous join, then leave",
                        "deadlock",
                        MODE + "nothing waits for acknowledgements."),
                library(
                        "S28",
                        "synchronous accept of a datagram request",
                        "must not wait",
                        MODE + "no event follows in the kernel either, see C71."),
                library(
                        "S29",
                        "synchronous resolve_addrinfo",
                        "the event is consumed inside",
                        MODE + "AddressInfo.resolve needs no event."),
                library(
                        "S30",
                        "no call has a time limit",
                        "connect to a silent host blocks for 98 s",
                        MODE + "every call that waits has a limit; the kernel's own is F34."),
                library(
                        "S31",
                        "O_NONBLOCK on a synchronous id",
                        "EAGAIN, to be completed later",
                        MODE + "descriptors are private."),
                library(
                        "S32",
                        "create_ep tries one address, for 2 s",
                        "ai_next is ignored",
                        MODE
                                + "createEndpoint takes one address of AddressInfo.resolve's, and the limit as a parameter."),
                library(
                        "S33",
                        "create_id(NULL) cannot open the device",
                        "ENOMEM",
                        "EventChannel.open throws" + " ErrnoException with the error of open(2) and advice."));
    }
}
