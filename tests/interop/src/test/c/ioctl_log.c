// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a program of rdma-core, this appends a line to the file named by RDMA4J_IOCTL_LOG for each
// RDMA_VERBS_IOCTL that the program makes, before it is made:
//
//   OBJECT METHOD DRIVER ID:FLAGS:ENUM:LENGTH:DATA...
//
// All numbers are hexadecimal. DATA is what the attribute carries itself up to eight bytes, otherwise the bytes that it
// points to, which for an output are whatever the program has there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

static void log_bytes(FILE *log, const void *data, unsigned length)
{
	const unsigned char *bytes = data;

	for (unsigned i = 0; i < length; i++)
		fprintf(log, "%02x", bytes[i]);
}

static void log_command(const struct ib_uverbs_ioctl_hdr *header)
{
	const char *file = getenv("RDMA4J_IOCTL_LOG");
	FILE *log = file ? fopen(file, "a") : NULL;

	if (!log)
		return;
	fprintf(log, "%x %x %x", header->object_id, header->method_id, header->driver_id);
	for (unsigned i = 0; i < header->num_attrs; i++) {
		const struct ib_uverbs_attr *attr = &header->attrs[i];

		fprintf(log, " %x:%x:%x:%x:", attr->attr_id, attr->flags, attr->attr_data.enum_data.elem_id, attr->len);
		if (attr->len > sizeof(attr->data))
			log_bytes(log, (const void *)(unsigned long)attr->data, attr->len);
		else
			log_bytes(log, &attr->data, sizeof(attr->data));
	}
	fputc('\n', log);
	fclose(log);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*next)(int, unsigned long, void *);
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!next)
		next = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	if (request == RDMA_VERBS_IOCTL)
		log_command(argument);
	return next(fd, request, argument);
}
