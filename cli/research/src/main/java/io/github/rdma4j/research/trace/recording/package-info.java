// SPDX-License-Identifier: Apache-2.0

/** The steps of programs, from the recorder in the guest and from the Flight Recorder. */
@NullMarked
package io.github.rdma4j.research.trace.recording;

import org.jspecify.annotations.NullMarked;
