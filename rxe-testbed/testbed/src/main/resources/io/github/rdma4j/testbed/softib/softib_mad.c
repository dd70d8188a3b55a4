// SPDX-License-Identifier: GPL-2.0
/*
 * InfiniBand in software: the agents of a port, which a subnet manager and
 * performance tools talk to, and its traps. Part of the testbed of rdma4j.
 */

#include <rdma/ib_pma.h>

#include "rxe.h"
#include "rxe_loc.h"
#include "softib_compat.h"

#define DEVICE_ID		0x5349
#define RESPONSE_TIME		18	/* a second: guests may be slow */
#define SUPPORTED_WIDTHS	(IB_WIDTH_1X | IB_WIDTH_4X)
#define SUPPORTED_SPEEDS	(IB_SPEED_SDR | IB_SPEED_DDR | IB_SPEED_QDR)
#define TRAP_REPEATS		5
#define REREGISTER		0x80
#define PATH_OF_TRAP		30
#define ALL_PORTS		0xff

static int answer(struct ib_smp *smp)
{
	smp->method = IB_MGMT_METHOD_GET_RESP;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		smp->status |= IB_SMP_DIRECTION;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

static void refuse(struct ib_smp *smp, u16 status)
{
	smp->status |= cpu_to_be16(status);
}

static bool is_set(const struct ib_smp *smp)
{
	return smp->method == IB_MGMT_METHOD_SET;
}

/* ---- attributes --------------------------------------------------------- */

static void node_info(struct softib *sib, struct ib_smp *smp)
{
	struct ib_node_info *info = (void *)smp->data;

	memset(smp->data, 0, sizeof(smp->data));
	info->base_version = 1;
	info->class_version = 1;
	info->node_type = RDMA_NODE_IB_CA;
	info->num_ports = sib->rxe->ib->count;
	info->sys_guid = sib->rxe->ib->node_guid;
	info->node_guid = sib->rxe->ib->node_guid;
	info->port_guid = sib->guids[0];
	info->partition_cap = cpu_to_be16(SOFTIB_PKEYS);
	info->device_id = cpu_to_be16(DEVICE_ID);
	info->revision = cpu_to_be32(1);
	info->local_port_num = sib->number;
	memset(info->vendor_id, 0xff, sizeof(info->vendor_id));
}

/* Caller holds the lock of the port; the packet has come through a port of the same node. */
static void get_port_info(struct softib *sib, struct ib_smp *smp, u8 through)
{
	struct rxe_port *port = sib->port;
	struct ib_port_attr *attr = &port->attr;
	struct ib_port_info *info = (void *)smp->data;

	memset(smp->data, 0, sizeof(smp->data));
	/* the key is shown to those who know it, or if nothing protects it */
	if (smp->mkey == sib->mkey || !sib->mkey_protect)
		info->mkey = sib->mkey;
	info->gid_prefix = port->subnet_prefix;
	info->lid = cpu_to_be16(attr->lid);
	info->sm_lid = cpu_to_be16(attr->sm_lid);
	info->cap_mask = cpu_to_be32(attr->port_cap_flags);
	info->mkey_lease_period = cpu_to_be16(sib->mkey_lease);
	info->local_port_num = through;
	info->link_width_enabled = sib->widths;
	info->link_width_supported = SUPPORTED_WIDTHS;
	info->link_width_active = attr->active_width;
	info->linkspeed_portstate = SUPPORTED_SPEEDS << 4 | attr->state;
	info->portphysstate_linkdown = attr->phys_state << 4 | sib->down_default;
	info->mkeyprot_resv_lmc = sib->mkey_protect << 6 | attr->lmc;
	info->linkspeedactive_enabled = attr->active_speed << 4 | sib->speeds;
	info->neighbormtu_mastersmsl = sib->neighbor_mtu << 4 | attr->sm_sl;
	info->vlcap_inittype = 1 << 4;
	info->vl_high_limit = sib->high_limit;
	info->inittypereply_mtucap = attr->max_mtu;
	info->operationalvl_pei_peo_fpi_fpo = sib->operational_vls << 4;
	info->mkey_violations = cpu_to_be16(sib->mkey_violations);
	info->pkey_violations = cpu_to_be16(attr->bad_pkey_cntr);
	info->qkey_violations = cpu_to_be16(attr->qkey_viol_cntr);
	info->guid_cap = SOFTIB_GUIDS;
	info->clientrereg_resv_subnetto = attr->subnet_timeout;
	info->resv_resptimevalue = RESPONSE_TIME;
	info->localphyerrors_overrunerrors = 0x88;
}

/* Caller holds the lock. Returns events. */
static unsigned long set_addresses(struct softib *sib, const struct ib_port_info *info,
				   struct ib_smp *smp)
{
	struct ib_port_attr *attr = &sib->port->attr;
	u16 lid = be16_to_cpu(info->lid), sm_lid = be16_to_cpu(info->sm_lid);
	u8 lmc = info->mkeyprot_resv_lmc & 7, sl = info->neighbormtu_mastersmsl & 0xf;
	unsigned long events = 0;

	if (!lid || lid >= SOFTIB_LIDS || (lid & ((1 << lmc) - 1))) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	} else {
		if (attr->lid != lid || attr->lmc != lmc)
			events |= BIT(IB_EVENT_LID_CHANGE);
		attr->lid = lid;
		attr->lmc = lmc;
	}
	if (!sm_lid || sm_lid >= SOFTIB_LIDS) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	} else {
		if (attr->sm_lid != sm_lid || attr->sm_sl != sl)
			events |= BIT(IB_EVENT_SM_CHANGE);
		attr->sm_lid = sm_lid;
		attr->sm_sl = sl;
	}
	if (sib->port->subnet_prefix != info->gid_prefix) {
		sib->port->subnet_prefix = info->gid_prefix;
		events |= BIT(IB_EVENT_GID_CHANGE);
	}
	return events;
}

/* Caller holds the lock. */
static void set_link(struct softib *sib, const struct ib_port_info *info, struct ib_smp *smp)
{
	struct rxe_port *port = sib->port;
	u8 mtu = info->neighbormtu_mastersmsl >> 4;
	u8 widths = info->link_width_enabled;
	u8 speeds = info->linkspeedactive_enabled & 0xf;
	u8 down = info->portphysstate_linkdown & 0xf;
	u8 vls = info->operationalvl_pei_peo_fpi_fpo >> 4;

	if (mtu < IB_MTU_256 || mtu > port->attr.max_mtu) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	} else {
		sib->neighbor_mtu = mtu;
		port->attr.active_mtu = mtu;
		port->mtu_cap = ib_mtu_enum_to_int(mtu);
	}
	if (widths == 0xff)
		sib->widths = SUPPORTED_WIDTHS;
	else if (widths & ~SUPPORTED_WIDTHS)
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	else if (widths)
		sib->widths = widths;
	if (speeds == 0xf)
		sib->speeds = SUPPORTED_SPEEDS;
	else if (speeds & ~SUPPORTED_SPEEDS)
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	else if (speeds)
		sib->speeds = speeds;
	if (down == IB_PORT_PHYS_STATE_SLEEP || down == IB_PORT_PHYS_STATE_POLLING)
		sib->down_default = down;
	else if (down)
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	if (vls > 1)
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	sib->high_limit = info->vl_high_limit;
}

/* Caller holds the lock. Returns events; a state of DOWN or a physical state is for the caller. */
static unsigned long set_state(struct softib *sib, u8 state, struct ib_smp *smp)
{
	struct ib_port_attr *attr = &sib->port->attr;

	switch (state) {
	case IB_PORT_NOP:
	case IB_PORT_DOWN:
		return 0;
	case IB_PORT_ARMED:
		if (attr->state != IB_PORT_INIT && attr->state != IB_PORT_ARMED)
			break;
		WRITE_ONCE(attr->state, IB_PORT_ARMED);
		return 0;
	case IB_PORT_ACTIVE:
		if (attr->state == IB_PORT_ACTIVE)
			return 0;
		if (attr->state != IB_PORT_ARMED)
			break;
		WRITE_ONCE(attr->state, IB_PORT_ACTIVE);
		return BIT(IB_EVENT_PORT_ACTIVE);
	}
	refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	return 0;
}

/* Caller holds the lock. Returns whether the link is to go down. */
static bool set_physical(struct softib *sib, u8 physical, struct ib_smp *smp)
{
	bool was = sib->disabled;

	switch (physical) {
	case 0:
		return false;
	case IB_PORT_PHYS_STATE_SLEEP:
	case IB_PORT_PHYS_STATE_POLLING:
		sib->disabled = false;
		break;
	case IB_PORT_PHYS_STATE_DISABLED:
		sib->disabled = true;
		break;
	default:
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
		return false;
	}
	return sib->port->attr.state != IB_PORT_DOWN || was != sib->disabled;
}

static void set_port_info(struct softib *sib, struct ib_smp *smp)
{
	struct ib_port_info info = *(struct ib_port_info *)smp->data;
	struct ib_port_attr *attr = &sib->port->attr;
	u8 reregister = info.clientrereg_resv_subnetto & REREGISTER;
	unsigned long events, flags;
	bool down;

	spin_lock_irqsave(&sib->lock, flags);
	events = set_addresses(sib, &info, smp);
	set_link(sib, &info, smp);
	sib->mkey = info.mkey;
	sib->mkey_protect = info.mkeyprot_resv_lmc >> 6;
	sib->mkey_lease = be16_to_cpu(info.mkey_lease_period);
	if (!info.mkey_violations)
		sib->mkey_violations = 0;
	if (!info.pkey_violations)
		attr->bad_pkey_cntr = 0;
	if (!info.qkey_violations)
		attr->qkey_viol_cntr = 0;
	attr->subnet_timeout = info.clientrereg_resv_subnetto & 0x1f;
	events |= set_state(sib, info.linkspeed_portstate & 0xf, smp);
	down = set_physical(sib, info.portphysstate_linkdown >> 4, smp);
	down |= (info.linkspeed_portstate & 0xf) == IB_PORT_DOWN && attr->state != IB_PORT_DOWN;
	/* whoever has set the key knows it */
	smp->mkey = sib->mkey;
	get_port_info(sib, smp, sib->number);
	spin_unlock_irqrestore(&sib->lock, flags);

	((struct ib_port_info *)smp->data)->clientrereg_resv_subnetto |= reregister;
	if (reregister)
		events |= BIT(IB_EVENT_CLIENT_REREGISTER);
	softib_dispatch(sib, events);
	if (down)
		softib_retrain(sib);
	softib_wake(sib);
}

static void port_info(struct softib *sib, struct ib_smp *smp)
{
	u32 number = be32_to_cpu(smp->attr_mod) ?: sib->number;
	struct softib *port = softib_of(sib->rxe, number);
	unsigned long flags;

	if (number != port->number) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	} else if (is_set(smp) && port == sib) {
		set_port_info(sib, smp);
	} else {
		/* a packet changes the port that it comes through, and reads all, as with other adapters */
		spin_lock_irqsave(&port->lock, flags);
		get_port_info(port, smp, sib->number);
		spin_unlock_irqrestore(&port->lock, flags);
	}
}

static void guid_info(struct softib *sib, struct ib_smp *smp)
{
	__be64 guids[SOFTIB_GUIDS];
	unsigned long flags;
	bool changed = false;
	int i;

	if (smp->attr_mod) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
		return;
	}
	BUILD_BUG_ON(sizeof(guids) != sizeof(smp->data));
	memcpy(guids, smp->data, sizeof(guids));
	spin_lock_irqsave(&sib->lock, flags);
	/* the first one is the port's for ever */
	for (i = 1; is_set(smp) && i < SOFTIB_GUIDS; i++) {
		changed |= sib->guids[i] != guids[i];
		sib->guids[i] = guids[i];
	}
	memcpy(smp->data, sib->guids, sizeof(smp->data));
	spin_unlock_irqrestore(&sib->lock, flags);
	if (changed)
		softib_dispatch(sib, BIT(IB_EVENT_GID_CHANGE));
}

static void pkey_table(struct softib *sib, struct ib_smp *smp)
{
	bool changed = false;
	unsigned long flags;
	int i;

	BUILD_BUG_ON(SOFTIB_PKEYS * sizeof(__be16) != sizeof(smp->data));
	if (be32_to_cpu(smp->attr_mod) & 0xffff) {
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
		return;
	}
	spin_lock_irqsave(&sib->lock, flags);
	for (i = 0; i < SOFTIB_PKEYS; i++) {
		u16 key = get_unaligned_be16(smp->data + 2 * i);

		if (is_set(smp) && sib->pkeys[i] != key) {
			WRITE_ONCE(sib->pkeys[i], key);
			changed = true;
		}
		put_unaligned_be16(sib->pkeys[i], smp->data + 2 * i);
	}
	spin_unlock_irqrestore(&sib->lock, flags);
	if (changed)
		softib_dispatch(sib, BIT(IB_EVENT_PKEY_CHANGE));
}

/* A table that is kept for the manager and has no effect: there is one virtual lane. */
static void kept(struct softib *sib, struct ib_smp *smp, u8 *table, size_t size)
{
	unsigned long flags;

	spin_lock_irqsave(&sib->lock, flags);
	if (is_set(smp))
		memcpy(table, smp->data, size);
	memset(smp->data, 0, sizeof(smp->data));
	memcpy(smp->data, table, size);
	spin_unlock_irqrestore(&sib->lock, flags);
}

static void arbitration(struct softib *sib, struct ib_smp *smp)
{
	u32 block = be32_to_cpu(smp->attr_mod) >> 16;

	if (block < 1 || block > ARRAY_SIZE(sib->arbitration))
		refuse(smp, IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE);
	else
		kept(sib, smp, sib->arbitration[block - 1], sizeof(sib->arbitration[0]));
}

static int attribute(struct softib *sib, struct ib_smp *smp)
{
	switch (smp->attr_id) {
	case IB_SMP_ATTR_PORT_INFO:
		port_info(sib, smp);
		return answer(smp);
	case IB_SMP_ATTR_GUID_INFO:
		guid_info(sib, smp);
		return answer(smp);
	case IB_SMP_ATTR_PKEY_TABLE:
		pkey_table(sib, smp);
		return answer(smp);
	case IB_SMP_ATTR_SL_TO_VL_TABLE:
		kept(sib, smp, sib->sl2vl, sizeof(sib->sl2vl));
		return answer(smp);
	case IB_SMP_ATTR_VL_ARB_TABLE:
		arbitration(sib, smp);
		return answer(smp);
	case IB_SMP_ATTR_NODE_INFO:
		if (is_set(smp))
			break;
		node_info(sib, smp);
		return answer(smp);
	case IB_SMP_ATTR_NODE_DESC:
		if (is_set(smp))
			break;
		memcpy(smp->data, sib->rxe->ib_dev.node_desc, sizeof(smp->data));
		return answer(smp);
	case IB_SMP_ATTR_SM_INFO:
		/* a subnet manager in user space answers */
		if (sib->port->attr.port_cap_flags & IB_PORT_SM)
			return IB_MAD_RESULT_SUCCESS;
		break;
	}
	refuse(smp, IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB);
	return answer(smp);
}

/* ---- M_Key -------------------------------------------------------------- */

static void trap_mkey(struct softib *sib, const struct ib_smp *smp, u16 slid);

/* Whether the packet may do what it wants to. */
static bool has_mkey(struct softib *sib, const struct ib_smp *smp, u16 slid)
{
	unsigned long flags;
	bool good, known;

	spin_lock_irqsave(&sib->lock, flags);
	if (sib->mkey_deadline && time_after_eq(jiffies, sib->mkey_deadline)) {
		/* nobody who knows the key has come in time: it is open again */
		sib->mkey_deadline = 0;
		sib->mkey_protect = 0;
		sib->mkey = 0;
	}
	known = !sib->mkey || smp->mkey == sib->mkey;
	good = known || (smp->method == IB_MGMT_METHOD_GET && sib->mkey_protect < 2);
	if (known) {
		sib->mkey_deadline = 0;
	} else if (!good) {
		if (sib->mkey_violations < 0xffff)
			sib->mkey_violations++;
		if (!sib->mkey_deadline && sib->mkey_lease)
			sib->mkey_deadline = (jiffies + sib->mkey_lease * HZ) ?: 1;
	}
	spin_unlock_irqrestore(&sib->lock, flags);
	if (!good)
		trap_mkey(sib, smp, slid);
	return good;
}

/* ---- traps -------------------------------------------------------------- */

/* Fills a place for a trap, to be sent at the next beat and until the manager
 * represses it. A place in use keeps its trap, or a flood would be answered by
 * a flood; what has changed last counts for changes.
 */
static void post_trap(struct softib *sib, enum softib_trap_kind kind,
		      struct ib_mad_notice_attr *notice, u8 type, __be16 number)
{
	struct softib_trap *trap = &sib->traps[kind];
	unsigned long flags;
	bool posted = false;

	notice->generic_type = type;
	notice->prod_type_lsb = IB_NOTICE_PROD_CA;
	notice->trap_num = number;
	spin_lock_irqsave(&sib->lock, flags);
	if (!trap->left || kind == SOFTIB_TRAP_CHANGE) {
		trap->notice = *notice;
		trap->tid = cpu_to_be64(++sib->trap_tid);
		trap->left = TRAP_REPEATS;
		posted = true;
	}
	spin_unlock_irqrestore(&sib->lock, flags);
	if (posted)
		softib_wake(sib);
}

void softib_trap_change(struct softib *sib, bool description)
{
	const struct ib_port_attr *attr = &sib->port->attr;
	struct ib_mad_notice_attr notice = {};

	/* a manager that comes later asks anyway */
	if (!attr->sm_lid)
		return;
	notice.details.ntc_144.lid = cpu_to_be16(attr->lid);
	notice.details.ntc_144.new_cap_mask = cpu_to_be32(attr->port_cap_flags);
	if (description) {
		notice.details.ntc_144.local_changes = 1;
		notice.details.ntc_144.change_flags = IB_NOTICE_TRAP_NODE_DESC_CHG;
	}
	post_trap(sib, SOFTIB_TRAP_CHANGE, &notice, IB_NOTICE_TYPE_INFO,
		  IB_NOTICE_TRAP_CAP_MASK_CHG);
}

static void trap_mkey(struct softib *sib, const struct ib_smp *smp, u16 slid)
{
	struct ib_mad_notice_attr notice = {};

	notice.details.ntc_256.lid = cpu_to_be16(slid);
	notice.details.ntc_256.method = smp->method;
	notice.details.ntc_256.attr_id = smp->attr_id;
	notice.details.ntc_256.attr_mod = smp->attr_mod;
	notice.details.ntc_256.mkey = smp->mkey;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE) {
		u8 hops = min_t(u8, smp->hop_cnt, PATH_OF_TRAP);

		notice.details.ntc_256.dr_slid = smp->dr_slid;
		notice.details.ntc_256.dr_trunc_hop = IB_NOTICE_TRAP_DR_NOTICE | hops;
		if (hops < smp->hop_cnt)
			notice.details.ntc_256.dr_trunc_hop |= IB_NOTICE_TRAP_DR_TRUNC;
		memcpy(notice.details.ntc_256.dr_rtn_path, smp->return_path, hops);
	}
	post_trap(sib, SOFTIB_TRAP_MKEY, &notice, IB_NOTICE_TYPE_SECURITY,
		  IB_NOTICE_TRAP_BAD_MKEY);
}

/* A packet has come with a wrong P_Key or Q_Key for a queue pair. */
void softib_trap_key(struct softib *sib, enum softib_trap_kind kind, u32 key,
		     struct rxe_pkt_info *pkt, u32 qpn)
{
	struct softib_lrh *lrh = (struct softib_lrh *)skb_mac_header(PKT_TO_SKB(pkt));
	u32 source = pkt->mask & RXE_DETH_MASK ? deth_sqp(pkt) : 0;
	struct ib_mad_notice_attr notice = {};

	if (READ_ONCE(sib->traps[kind].left))
		return;
	notice.details.ntc_257_258.lid1 = lrh->slid;
	notice.details.ntc_257_258.lid2 = lrh->dlid;
	notice.details.ntc_257_258.key = cpu_to_be32(key);
	notice.details.ntc_257_258.sl_qp1 = cpu_to_be32((u32)(lrh->sl_next >> 4) << 28 | source);
	notice.details.ntc_257_258.qp2 = cpu_to_be32(qpn);
	if (pkt->mask & RXE_GRH_MASK) {
		struct ib_grh *grh = (struct ib_grh *)(lrh + 1);

		notice.details.ntc_257_258.gid1 = grh->sgid;
		notice.details.ntc_257_258.gid2 = grh->dgid;
	}
	post_trap(sib, kind, &notice, IB_NOTICE_TYPE_SECURITY,
		  kind == SOFTIB_TRAP_PKEY ? IB_NOTICE_TRAP_BAD_PKEY : IB_NOTICE_TRAP_BAD_QKEY);
}

static void trap_repress(struct softib *sib, const struct ib_smp *smp)
{
	unsigned long flags;
	int i;

	spin_lock_irqsave(&sib->lock, flags);
	for (i = 0; i < SOFTIB_TRAPS; i++)
		if (sib->traps[i].tid == smp->tid)
			sib->traps[i].left = 0;
	spin_unlock_irqrestore(&sib->lock, flags);
}

/* At every beat; again: if a period has passed, also those that were sent before. */
void softib_send_traps(struct softib *sib, bool again)
{
	const struct ib_port_attr *attr = &sib->port->attr;
	struct ib_smp *smp;
	unsigned long flags;
	int i;

	if (!attr->lid || !attr->sm_lid || READ_ONCE(attr->state) < IB_PORT_INIT)
		return;
	smp = kzalloc(sizeof(*smp), GFP_KERNEL);
	if (!smp)
		return;
	for (i = 0; i < SOFTIB_TRAPS; i++) {
		struct softib_trap *trap = &sib->traps[i];
		bool due;

		memset(smp, 0, sizeof(*smp));
		spin_lock_irqsave(&sib->lock, flags);
		due = trap->left == TRAP_REPEATS || (again && trap->left > 0);
		if (due) {
			trap->left--;
			trap->notice.issuer_lid = cpu_to_be16(attr->lid);
			memcpy(smp->data, &trap->notice, sizeof(trap->notice));
			smp->tid = trap->tid;
		}
		spin_unlock_irqrestore(&sib->lock, flags);
		if (!due)
			continue;
		smp->base_version = IB_MGMT_BASE_VERSION;
		smp->mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED;
		smp->class_version = 1;
		smp->method = IB_MGMT_METHOD_TRAP;
		smp->attr_id = IB_SMP_ATTR_NOTICE;
		softib_send_smp(sib, smp);
	}
	kfree(smp);
}

/* A refused packet has no answer. Its sender is told if it is on this node: the
 * core, which hands its packets over without a GRH, would else not even tell it
 * when its time is up.
 */
static int no_answer(const struct ib_grh *grh)
{
	return grh ? IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED : IB_MAD_RESULT_FAILURE;
}

static int subnet(struct softib *sib, struct ib_smp *smp, int mad_flags,
		  const struct ib_wc *wc, const struct ib_grh *grh)
{
	if (smp->class_version != 1) {
		refuse(smp, IB_MGMT_MAD_STATUS_BAD_VERSION);
		return answer(smp);
	}
	switch (smp->method) {
	case IB_MGMT_METHOD_GET:
	case IB_MGMT_METHOD_SET:
		if (mad_flags & IB_MAD_IGNORE_MKEY || has_mkey(sib, smp, wc ? wc->slid : 0))
			return attribute(sib, smp);
		return no_answer(grh);
	case IB_MGMT_METHOD_TRAP_REPRESS:
		if (has_mkey(sib, smp, wc ? wc->slid : 0))
			trap_repress(sib, smp);
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	default:
		/* traps and responses are for those who have registered */
		return IB_MAD_RESULT_SUCCESS;
	}
}

/* ---- performance -------------------------------------------------------- */

static u64 counter(struct softib *sib, enum softib_counter which)
{
	return atomic64_read(&sib->counters[which]);
}

/* A counter of few bits stays at its highest value. */
static u64 most(struct softib *sib, enum softib_counter which, u64 limit)
{
	return min(counter(sib, which), limit);
}

static void reset(struct softib *sib, u16 selected, u16 bit, enum softib_counter which)
{
	if (selected & bit)
		atomic64_set(&sib->counters[which], 0);
}

static void port_counters(struct softib *sib, struct ib_pma_mad *pma)
{
	struct ib_pma_portcounters *counters = (void *)pma->data;
	u16 selected = be16_to_cpu(counters->counter_select);
	u8 port = counters->port_select;

	if (pma->mad_hdr.method == IB_MGMT_METHOD_SET) {
		reset(sib, selected, 0x0004, SOFTIB_LINK_DOWNED);
		reset(sib, selected, 0x0008, SOFTIB_RCV_ERRORS);
		reset(sib, selected, 0x0040, SOFTIB_XMIT_DISCARDS);
		reset(sib, selected, 0x0100, SOFTIB_RCV_CONSTRAINT_ERRORS);
		reset(sib, selected, 0x0800, SOFTIB_VL15_DROPPED);
		reset(sib, selected, 0x1000, SOFTIB_XMIT_WORDS);
		reset(sib, selected, 0x2000, SOFTIB_RCV_WORDS);
		reset(sib, selected, 0x4000, SOFTIB_XMIT_PACKETS);
		reset(sib, selected, 0x8000, SOFTIB_RCV_PACKETS);
	}
	memset(pma->data, 0, sizeof(pma->data));
	counters->port_select = port;
	counters->counter_select = cpu_to_be16(selected);
	counters->link_downed_counter = most(sib, SOFTIB_LINK_DOWNED, U8_MAX);
	counters->port_rcv_errors = cpu_to_be16(most(sib, SOFTIB_RCV_ERRORS, U16_MAX));
	counters->port_xmit_discards = cpu_to_be16(most(sib, SOFTIB_XMIT_DISCARDS, U16_MAX));
	counters->port_rcv_constraint_errors = most(sib, SOFTIB_RCV_CONSTRAINT_ERRORS, U8_MAX);
	counters->vl15_dropped = cpu_to_be16(most(sib, SOFTIB_VL15_DROPPED, U16_MAX));
	counters->port_xmit_data = cpu_to_be32(most(sib, SOFTIB_XMIT_WORDS, U32_MAX));
	counters->port_rcv_data = cpu_to_be32(most(sib, SOFTIB_RCV_WORDS, U32_MAX));
	counters->port_xmit_packets = cpu_to_be32(most(sib, SOFTIB_XMIT_PACKETS, U32_MAX));
	counters->port_rcv_packets = cpu_to_be32(most(sib, SOFTIB_RCV_PACKETS, U32_MAX));
}

static void port_counters_ext(struct softib *sib, struct ib_pma_mad *pma)
{
	struct ib_pma_portcounters_ext *counters = (void *)pma->data;
	u16 selected = be16_to_cpu(counters->counter_select);
	u64 sent, received, sent_multicast, received_multicast;
	u8 port = counters->port_select;

	if (pma->mad_hdr.method == IB_MGMT_METHOD_SET) {
		reset(sib, selected, 0x01, SOFTIB_XMIT_WORDS);
		reset(sib, selected, 0x02, SOFTIB_RCV_WORDS);
		reset(sib, selected, 0x04, SOFTIB_XMIT_PACKETS);
		reset(sib, selected, 0x08, SOFTIB_RCV_PACKETS);
		reset(sib, selected, 0x40, SOFTIB_XMIT_MULTICAST);
		reset(sib, selected, 0x80, SOFTIB_RCV_MULTICAST);
	}
	memset(pma->data, 0, sizeof(pma->data));
	sent = counter(sib, SOFTIB_XMIT_PACKETS);
	received = counter(sib, SOFTIB_RCV_PACKETS);
	sent_multicast = counter(sib, SOFTIB_XMIT_MULTICAST);
	received_multicast = counter(sib, SOFTIB_RCV_MULTICAST);
	counters->port_select = port;
	counters->counter_select = cpu_to_be16(selected);
	counters->port_xmit_data = cpu_to_be64(counter(sib, SOFTIB_XMIT_WORDS));
	counters->port_rcv_data = cpu_to_be64(counter(sib, SOFTIB_RCV_WORDS));
	counters->port_xmit_packets = cpu_to_be64(sent);
	counters->port_rcv_packets = cpu_to_be64(received);
	counters->port_unicast_xmit_packets = cpu_to_be64(sent - min(sent, sent_multicast));
	counters->port_unicast_rcv_packets =
		cpu_to_be64(received - min(received, received_multicast));
	counters->port_multicast_xmit_packets = cpu_to_be64(sent_multicast);
	counters->port_multicast_rcv_packets = cpu_to_be64(received_multicast);
}

static void class_info(struct ib_pma_mad *pma)
{
	struct ib_class_port_info *info = (void *)pma->data;

	memset(pma->data, 0, sizeof(pma->data));
	info->base_version = 1;
	info->class_version = 1;
	info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
	info->cap_mask2_resp_time = cpu_to_be32(RESPONSE_TIME);
}

static int performance(struct softib *sib, struct ib_pma_mad *pma)
{
	/* port_select has the same place in all attributes that have it */
	u8 port = pma->data[1];
	struct softib *of = port && port != ALL_PORTS ? softib_of(sib->rxe, port) : sib;
	u16 status = 0;

	if (pma->mad_hdr.class_version != 1)
		status = IB_MGMT_MAD_STATUS_BAD_VERSION;
	else if (pma->mad_hdr.attr_id == IB_PMA_CLASS_PORT_INFO &&
		 pma->mad_hdr.method == IB_MGMT_METHOD_GET)
		class_info(pma);
	else if (pma->mad_hdr.attr_id != IB_PMA_PORT_COUNTERS &&
		 pma->mad_hdr.attr_id != IB_PMA_PORT_COUNTERS_EXT)
		status = IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB;
	else if (port > sib->rxe->ib->count && port != ALL_PORTS)
		status = IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	else if (pma->mad_hdr.attr_id == IB_PMA_PORT_COUNTERS)
		port_counters(of, pma);
	else
		port_counters_ext(of, pma);
	pma->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	pma->mad_hdr.status |= cpu_to_be16(status);
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

int softib_process_mad(struct ib_device *dev, int mad_flags, u32 port_num,
		       const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		       const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_mad_size, u16 *out_mad_pkey_index)
{
	struct softib *sib = softib_of(to_rdev(dev), port_num);

	if (port_num != sib->number)
		return IB_MAD_RESULT_FAILURE;
	switch (in->mad_hdr.mgmt_class) {
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
		*out = *in;
		return subnet(sib, (struct ib_smp *)out, mad_flags, in_wc, in_grh);
	case IB_MGMT_CLASS_PERF_MGMT:
		if (in->mad_hdr.method != IB_MGMT_METHOD_GET &&
		    in->mad_hdr.method != IB_MGMT_METHOD_SET)
			return IB_MAD_RESULT_SUCCESS;
		*out = *in;
		return performance(sib, (struct ib_pma_mad *)out);
	default:
		return IB_MAD_RESULT_SUCCESS;
	}
}
